import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationNames } from '../engine/operationNames.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { previewFolder, previewOf, previewPath } from './previews.cjs';
import { previewItems } from './previewRuns.cjs';

/** What the editor shows of an operation's items before the first run: made by `npm run docs`. */
describe('the previews', () => {
	const testBed = useTestBed();

	it('are one for every operation', () => {
		const files = readdirSync(previewFolder, { recursive: true, encoding: 'utf8' })
			.filter((path) => path.endsWith('.json'))
			.map((path) => path.replaceAll('\\', '/'));

		expect(files.sort()).toEqual(operationNames.map(previewPath).sort());
	});

	it.each(operationNames)('show what comes out of $resource: $operation', async (name) => {
		const file = readFileSync(join(previewFolder, previewPath(name)), 'utf8');

		const items = await previewItems(testBed, name);

		expect(items).not.toHaveLength(0);
		expect(previewOf(items)).toEqual(JSON.parse(file));
	});
});
