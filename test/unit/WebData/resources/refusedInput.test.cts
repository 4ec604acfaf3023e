import { resources } from '../../../../nodes/WebData/resources';
import { operationOf } from '../../calls.cjs';
import { refusalOf } from '../../schemaAssertions.cjs';

type Parameters = Record<string, unknown>;

const url = 'https://a.example/';
const jobId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const json = (requestJson: object): Parameters => ({ additionalFields: { requestJson } });
const also = (additionalFields: Parameters): Parameters => ({ additionalFields });

/** What an operation says to parameters as the editor stores them. @throws when it takes them */
function refusal(name: string, parameters: Parameters): string {
	const [resource, operation] = name.split(': ');
	const found = resources.find(({ value }) => value === resource);
	if (!found) throw new Error(`There is no ${resource}`);
	const data = { data: 'YQ==', mimeType: 'text/html', fileName: 'a.html' };
	return refusalOf(operationOf(found, operation), parameters, { data });
}

const noField = (name: string) => `The request has no field '${name}'`;

/** The rules that belong to one operation; those of fields of several are asked in test/unit/WebData/fields. */
it.each<[string, Parameters, string]>([
	['page: scrape', { url, ...json({ alexandria: { provider: 'a' } }) }, noField('alexandria')],
	['page: scrape', { url, ...json({ scrapeOptions: { mobile: true } }) }, noField('scrapeOptions')],
	[
		'page: scrape',
		{ url, ...also({ timeout: 10_000, waitFor: 5001 }) },
		"'Wait For' must be at most half the timeout of 10000 milliseconds, not 5001",
	],
	['batch: run', { urls: '' }, "'URLs' is required"],
	['batch: run', { urls: ' , ,\n' }, "'URLs' must be a list of at least 1 entries, not 0"],
	[
		'batch: run',
		{ urls: Array.from({ length: 11 }, () => url + 'x'.repeat(1_000_000)) },
		"'URLs' must be at most 10 MB in one batch; split the input into several",
	],
	[
		'batch: run',
		{ urls: url, ...also({ appendToId: 'latest' }) },
		"'Append to ID' must be an ID such as 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b, not latest",
	],
	[
		'batch: run',
		{ urls: url, ...json({ scrapeOptions: { mobile: true } }) },
		noField('scrapeOptions'),
	],
	['crawl: run', { url: '' }, "'URL' is required"],
	['crawl: run', { url, limit: 0 }, "'Limit' must be a whole number of at least 1, not 0"],
	['crawl: run', { url, ...json({ formats: ['links'] }) }, noField('formats')],
	['crawl: get', {}, "'Job ID' is required"],
	['crawl: previewParams', { url }, "'Prompt' is required"],
	[
		'file: parse',
		{ binaryPropertyName: 'data', ...also({ proxy: 'enhanced' }) },
		"'Proxy' must be one of auto, basic, not enhanced",
	],
	['map: get', { url: '' }, "'URL' is required"],
	[
		'map: get',
		{ url, limit: 100_001 },
		"'Limit' must be a whole number from 1 to 100,000, not 100001",
	],
	['agent: getSnapshot', { jobId }, "'Snapshot ID' is required"],
	['session: delete', {}, "'Session' is required"],
	['session: getAll', { limit: 0 }, "'Limit' must be a whole number of at least 1, not 0"],
])('%s refuses %j', (name, parameters, words) => {
	expect(refusal(name, parameters)).toBe(words);
});

it('no ID of an operation is a way to another path', () => {
	const names = ['jobId', 'monitorId', 'checkId', 'snapshotId', 'sessionId', 'id'];
	const ids = resources.flatMap(({ operations }) =>
		operations.flatMap((operation) =>
			operation.fields
				.filter(({ name }) => names.includes(name))
				.map(({ name }) => ({ name, operation })),
		),
	);
	expect(ids.length).toBeGreaterThan(20);
	for (const { name, operation } of ids) {
		for (const given of ['..', '.']) {
			const { error } = operation.schema.safeParse(operation.read({ [name]: given }));
			const own = error?.issues.filter(({ path }) => path.includes(name)) ?? [];
			expect(own.map(({ message }) => message)).toEqual([expect.stringMatching(/^must be an ID/)]);
		}
	}
});
