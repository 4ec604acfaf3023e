import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from './testBed.cjs';

const testBed = useTestBed();
const url = 'https://tidewatch.example/';

/** The sample of CONTRIBUTING.md: what the user sets, what is sent for it, what comes out. */
describe('Map a website', () => {
	it.each<[name: string, set: INodeParameters, sent: object]>([
		['an address alone', {}, { limit: 100 }],
		['words to search for', { search: 'tides' }, { limit: 100, search: 'tides' }],
	])('sends %s', async (_name, set, sent) => {
		await testBed.run('map', 'get', { url, ...set });

		const [request] = testBed.service.log.of('POST', '/v2/map');
		expect(request.body).toEqual({ url, ...sent });
	});

	it('gives an item per link, linked to the input item that asked for it', async () => {
		const input = [{ page: 1 }, { page: 2 }];

		const run = await testBed.run('map', 'get', { url, limit: 3 }, { input });

		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1, 1, 1].map((item) => ({ item })),
		);
	});
});
