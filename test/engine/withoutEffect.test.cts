import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from './testBed.cjs';

const url = 'https://tidewatch.example/guides/spring-tides';
const reading: INodeParameters = {
	storeInCache: true,
	onlyCleanContent: true,
	headers: [{ name: 'Cookie', value: 'a=b' }],
};
const more = { additionalFields: { zeroDataRetention: true } };

describe('options that have no effect beside others', () => {
	const testBed = useTestBed();
	const unkept = "'Store in Cache' has no effect together with 'Headers'";
	const uncleaned = (beside: string) =>
		`'Only Clean Content' has no effect together with '${beside}'`;

	it.each<[string, string, INodeParameters, string]>([
		['page', 'scrape', { url, scrapeOptions: reading, ...more }, 'Zero Data Retention'],
		['batch', 'start', { urls: url, scrapeOptions: reading, ...more }, 'Zero Data Retention'],
		['batch', 'run', { urls: url, scrapeOptions: reading, ...more }, 'Zero Data Retention'],
		['crawl', 'start', { url, limit: 1, scrapeOptions: reading, ...more }, 'Zero Data Retention'],
		['crawl', 'run', { url, limit: 1, scrapeOptions: reading, ...more }, 'Zero Data Retention'],
		[
			'search',
			'query',
			{
				query: 'tide',
				limit: 1,
				scrapeResults: true,
				scrapeOptions: reading,
				additionalFields: { enterprise: ['zdr'] },
			},
			'Enterprise',
		],
	])('are told, and sent all the same: %s, %s', async (resource, operation, set, beside) => {
		const run = await testBed.run(resource, operation, set);

		expect(run.error).toBeUndefined();
		expect(run.hints().map(({ message }) => message)).toEqual(
			expect.arrayContaining([unkept, uncleaned(beside)]),
		);
		const [{ body }] = testBed.service.log.entries;
		expect(JSON.stringify(body)).toContain('"storeInCache":true');
	});
});

describe('groups that were added and left empty', () => {
	const testBed = useTestBed();

	it('are told, and not sent', async () => {
		const run = await testBed.run('page', 'scrape', {
			url,
			scrapeOptions: { location: { country: '' }, threatProtection: { blacklist: '' } },
		});

		expect(run.error).toBeUndefined();
		expect(run.hints().map(({ message }) => message)).toEqual([
			"'Scrape Options > Location' is empty: it was not sent.",
			"'Scrape Options > Threat Protection' is empty: it was not sent.",
		]);
		expect(testBed.service.log.entries.map(({ body }) => body)).toEqual([{ url }]);
	});
});
