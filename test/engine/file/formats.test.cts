import { fileTypes } from '../../mock-server/parse/openFile.cjs';
import { useTestBed } from '../testBed.cjs';

const testBed = useTestBed();
const formats = async () => await testBed.run('file', 'getFormats', {});

describe('the formats of files', () => {
	it('are one item each, free, those included that the server cannot read', async () => {
		const run = await formats();

		expect(run.output().map(({ json }) => json)).toEqual(fileTypes);
		expect(new Set(run.output().map(({ json }) => json.available))).toEqual(new Set([true, false]));
		const [{ method, path, credits }] = testBed.service.log.entries;
		expect([method, path, credits]).toEqual(['GET', '/v2/parse/formats', 0]);
	});

	it('keep what is not known today', async () => {
		const format = { format: 'glb', kind: 'model', available: true, maxBytes: 1024 };
		const body = { success: true, data: { formats: [format] } };
		testBed.service.faults.add({ kind: 'status', status: 200, body });

		expect((await formats()).output().map(({ json }) => json)).toEqual([format]);
	});
});
