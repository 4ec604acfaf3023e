import { agent } from '../../../../nodes/WebData/resources/agent';
import { batch } from '../../../../nodes/WebData/resources/batch';
import { crawl } from '../../../../nodes/WebData/resources/crawl';
import { file } from '../../../../nodes/WebData/resources/file';
import { map } from '../../../../nodes/WebData/resources/map';
import { page } from '../../../../nodes/WebData/resources/page';
import { session } from '../../../../nodes/WebData/resources/session';
import { resources as allResources } from '../../../../nodes/WebData/resources';
import { refusalOf } from '../../schemaAssertions.cjs';

type Parameters = Record<string, unknown>;

const url = 'https://a.example/';
const json = (requestJson: object): Parameters => ({ additionalFields: { requestJson } });
const also = (additionalFields: Parameters): Parameters => ({ additionalFields });

const resources: Record<string, typeof page> = {
	agent,
	batch,
	crawl,
	file,
	map,
	page,
	session,
};

/** What an operation says to parameters as the editor stores them. @throws when it takes them */
function refusal(resource: string, value: string, parameters: Parameters): string {
	const operation = resources[resource].operations.find((each) => each.value === value);
	if (!operation) throw new Error(`There is no ${value}`);
	const data = { data: 'YQ==', mimeType: 'text/html', fileName: 'a.html' };
	return refusalOf(operation, parameters, { data });
}

/** The rules that belong to one operation; those of fields of several are asked in test/unit/WebData/fields. */
describe('refused by its own rules:', () => {
	it.each<[string, Parameters]>([
		[
			"The request has no field 'alexandria'",
			json({ alexandria: { provider: 'a', capability: 'b' } }),
		],
		["The request has no field 'scrapeOptions'", json({ scrapeOptions: { formats: ['links'] } })],
		[
			"'Wait For' must be at most half the timeout of 10000 milliseconds, not 5001",
			also({ timeout: 10_000, waitFor: 5001 }),
		],
	])('page: scrape, %s', (words, set) => {
		expect(refusal('page', 'scrape', { url, ...set })).toBe(words);
	});

	it.each<[string, Parameters]>([
		["'URLs' is required", { urls: '' }],
		["'URLs' must be a list of at least 1 entries, not 0", { urls: ' , ,\n' }],
		[
			"'URLs > entry 2' must start with http:// or https://, not ftp:",
			{ urls: `${url}\nftp://a.example/x` },
		],
		[
			"'URLs' must be at most 10 MB in one batch; split the input into several",
			{ urls: Array.from({ length: 11 }, () => url + 'x'.repeat(1_000_000)) },
		],
		[
			"'Append to ID' must be an ID such as 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b, not latest",
			also({ appendToId: 'latest' }),
		],
		[
			"'Ignore Invalid URLs' must be true or false, not perhaps",
			also({ ignoreInvalidURLs: 'perhaps' }),
		],
		[
			"'Wait For' must be at most half the timeout of 2000 milliseconds, not 1001",
			also({ timeout: 2000, waitFor: 1001 }),
		],
		["The request has no field 'scrapeOptions'", json({ scrapeOptions: { formats: ['links'] } })],
	])('batch: run, %s', (words, set) => {
		expect(refusal('batch', 'run', { urls: url, ...set })).toBe(words);
	});

	it.each<[string, Parameters]>([
		["'URL' is required", { url: '' }],
		["'Limit' must be a whole number of at least 1, not 0", { limit: 0 }],
		["The request has no field 'formats'", json({ formats: ['links'] })],
		[
			"'Timeout' must be a whole number from 1,000 to 300,000 milliseconds, not 1",
			also({ timeout: 1 }),
		],
	])('crawl: run, %s', (words, set) => {
		expect(refusal('crawl', 'run', { url, ...set })).toBe(words);
	});

	it.each<[string, Parameters]>([
		["'Proxy' must be one of auto, basic, not enhanced", { proxy: 'enhanced' }],
	])('file: parse, %s', (words, set) => {
		expect(refusal('file', 'parse', { binaryPropertyName: 'data', ...also(set) })).toBe(words);
	});

	it.each<[string, Parameters]>([
		["'URL' is required", { url: '' }],
		["'Limit' must be a whole number from 1 to 100,000, not 100001", { limit: 100_001 }],
	])('map: get, %s', (words, set) => {
		expect(refusal('map', 'get', { url, ...set })).toBe(words);
	});

	const jobId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

	it.each<[string, string, string, Parameters]>([
		['agent', 'getSnapshot', "'Snapshot ID' is required", { jobId }],
		['crawl', 'get', "'Job ID' is required", {}],
		['crawl', 'previewParams', "'Prompt' is required", { url }],
		['session', 'delete', "'Session' is required", {}],
		['session', 'getAll', "'Limit' must be a whole number of at least 1, not 0", { limit: 0 }],
		[
			'session',
			'create',
			"'Profile > Name' must be at most 128 bytes long, not 129",
			also({ profile: { name: 'x'.repeat(129) } }),
		],
		[
			'session',
			'create',
			"'Close Session at End' must be true or false, not maybe",
			also({ closeSession: 'maybe' }),
		],
	])('%s: %s, %s', (resource, operation, words, set) => {
		expect(refusal(resource, operation, set)).toBe(words);
	});
});

describe('an ID', () => {
	const names = ['jobId', 'monitorId', 'checkId', 'snapshotId', 'sessionId', 'id'];
	const ids = allResources.flatMap(({ value, operations }) =>
		operations.flatMap((operation) =>
			operation.fields
				.filter(({ name }) => names.includes(name))
				.map(({ name }): [string, string, typeof operation] => [
					`${value}: ${operation.value}`,
					name,
					operation,
				]),
		),
	);

	it.each(ids)('of %s is no way to another path: %s', (_, name, operation) => {
		for (const given of ['..', '.']) {
			const { error } = operation.schema.safeParse(operation.read({ [name]: given }));
			const own = error?.issues.filter(({ path }) => path.includes(name)) ?? [];
			expect(own.map(({ message }) => message)).toEqual([expect.stringMatching(/^must be an ID/)]);
		}
	});

	it('is one of most operations', () => {
		expect(ids.length).toBeGreaterThan(20);
	});
});
