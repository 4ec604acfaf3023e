import { agent } from '../../../../nodes/WebData/resources/agent';
import { batch } from '../../../../nodes/WebData/resources/batch';
import { crawl } from '../../../../nodes/WebData/resources/crawl';
import { file } from '../../../../nodes/WebData/resources/file';
import { government } from '../../../../nodes/WebData/resources/government';
import { map } from '../../../../nodes/WebData/resources/map';
import { page } from '../../../../nodes/WebData/resources/page';
import { session } from '../../../../nodes/WebData/resources/session';
import { site } from '../../../../nodes/WebData/resources/site';
import { refusalOf } from '../../verdict.cjs';

type Parameters = Record<string, unknown>;

const url = 'https://a.example/';
const json = (requestJson: object): Parameters => ({ additionalFields: { requestJson } });
const also = (additionalFields: Parameters): Parameters => ({ additionalFields });

/** What an operation says to parameters as the editor stores them. @throws when it takes them */
function refusal(resource: typeof page, value: string, parameters: Parameters): string {
	const operation = resource.operations.find((each) => each.value === value);
	if (!operation) throw new Error(`There is no ${value}`);
	const data = { data: 'YQ==', mimeType: 'text/html', fileName: 'a.html' };
	return refusalOf(operation, parameters, { data });
}

/** The rules that belong to one operation; those of fields of several are asked in test/unit/WebData/fields. */
describe('refused by its own rules:', () => {
	it.each<[string, Parameters, string]>([
		[
			'a URL beside tools',
			json({ alexandria: { provider: 'a', capability: 'b' } }),
			"'alexandria' cannot be used together with a URL; the resource Tool executes tools",
		],
		[
			'the wrapper of a search',
			json({ scrapeOptions: { formats: ['links'] } }),
			"The request has no field 'scrapeOptions'",
		],
		[
			'a tool detail that does not exist',
			also({ toolDetail: 'all' }),
			"'Tool Detail' must be one of compact, full, summary, not all",
		],
		[
			'a wait above half the timeout',
			{ scrapeOptions: { timeout: 10_000, waitFor: 5001 } },
			"'Wait For' must be at most half the timeout of 10000 milliseconds, not 5001",
		],
	])('page: scrape, %s', (_name, set, words) => {
		expect(refusal(page, 'scrape', { url, ...set })).toBe(words);
	});

	it.each<[string, Parameters, string]>([
		['no address', { urls: '' }, "'URLs' is required"],
		[
			'nothing but commas',
			{ urls: ' , ,\n' },
			"'URLs' must be a list of at least 1 entries, not 0",
		],
		[
			'an address of another scheme',
			{ urls: `${url}\nftp://a.example/x` },
			"'URLs > entry 2' must start with http:// or https://, not ftp:",
		],
		[
			'more than the service takes at once',
			{ urls: Array.from({ length: 11 }, () => url + 'x'.repeat(1_000_000)) },
			"'URLs' must be at most 10 MB in one batch; split the input into several",
		],
		[
			'an ID to add to that is none',
			also({ appendToId: 'latest' }),
			"'Append to ID' must be an ID such as 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b, not latest",
		],
		[
			'no page at once',
			also({ maxConcurrency: 0 }),
			"'Max Concurrency' must be a whole number of at least 1, not 0",
		],
		[
			'a switch that is neither on nor off',
			also({ ignoreInvalidURLs: 'perhaps' }),
			"'Ignore Invalid URLs' must be true or false, not perhaps",
		],
		[
			'a wait above half the timeout',
			{ scrapeOptions: { timeout: 2000, waitFor: 1001 } },
			"'Wait For' must be at most half the timeout of 2000 milliseconds, not 1001",
		],
		[
			"a crawl's wrapper",
			json({ scrapeOptions: { formats: ['links'] } }),
			"The request has no field 'scrapeOptions'",
		],
	])('batch: run, %s', (_name, set, words) => {
		expect(refusal(batch, 'run', { urls: url, ...set })).toBe(words);
	});

	it.each<[string, Parameters, string]>([
		['no start page', { url: '' }, "'URL' is required"],
		[
			'no page at once',
			also({ maxConcurrency: 0 }),
			"'Max Concurrency' must be a whole number of at least 1, not 0",
		],
		['no page', { limit: 0 }, "'Limit' must be a whole number of at least 1, not 0"],
		[
			'a prompt of 10,001 characters',
			also({ prompt: 'a'.repeat(10_001) }),
			"'Prompt' must be at most 10,000 characters long, not 10,001",
		],
		[
			"a batch's options at top level",
			json({ formats: ['links'] }),
			"The request has no field 'formats'",
		],
		[
			'a scrape option out of bounds',
			{ scrapeOptions: { timeout: 1 } },
			"'Scrape Options > Timeout' must be a whole number from 1,000 to 300,000 milliseconds, not 1",
		],
	])('crawl: run, %s', (_name, set, words) => {
		expect(refusal(crawl, 'run', { url, ...set })).toBe(words);
	});

	it.each<[string, Parameters, string]>([
		[
			'the enhanced proxy',
			also({ proxy: 'enhanced' }),
			"'Proxy' must be one of auto, basic, not enhanced",
		],
		[
			'an upload that does not exist',
			also({ uploadMethod: 'post' }),
			"'Upload' must be one of separate, direct, not post",
		],
		[
			'a timeout above 300 s',
			also({ timeout: 300_001 }),
			"'Timeout' must be a whole number from 1,000 to 300,000 milliseconds, not 300001",
		],
		...[
			'actions',
			'waitFor',
			'location',
			'mobile',
			'maxAge',
			'minAge',
			'storeInCache',
			'lockdown',
		].map((name): [string, Parameters, string] => [
			`${name}, which only a visit has`,
			json({ [name]: 1 }),
			`The request has no field '${name}'`,
		]),
	])('file: parse, %s', (_name, set, words) => {
		const parameters = { binaryPropertyName: 'data', ...set };
		expect(refusal(file, 'parse', parameters)).toBe(words);
	});

	it.each<[string, Parameters, string]>([
		['no URL', { url: '' }, "'URL' is required"],
		['a limit of 0', { limit: 0 }, "'Limit' must be a whole number from 1 to 100,000, not 0"],
		[
			'a limit of 100,001',
			{ limit: 100_001 },
			"'Limit' must be a whole number from 1 to 100,000, not 100001",
		],
		[
			'a timeout of 0',
			also({ timeout: 0 }),
			"'Timeout' must be a whole number of at least 1 milliseconds, not 0",
		],
		[
			'a pattern that does not compile',
			also({ includePaths: '/a\n/b(' }),
			"'Include Paths > entry 2' must be a regular expression, not /b(",
		],
		[
			'another that does not',
			also({ excludePaths: '[' }),
			"'Exclude Paths > entry 1' must be a regular expression, not [",
		],
	])('map: get, %s', (_name, set, words) => {
		expect(refusal(map, 'get', { url, ...set })).toBe(words);
	});

	const jobId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

	it.each<[string, Parameters, string]>([
		['a blank query', { query: ' ' }, "'Query' must not be blank"],
		['no results', { k: 0 }, "'Number of Results' must be a whole number from 1 to 100, not 0"],
		[
			'101 results',
			{ k: 101 },
			"'Number of Results' must be a whole number from 1 to 100, not 101",
		],
	])('government: search, %s', (_name, set, words) => {
		expect(refusal(government, 'search', { query: 'tide', ...set })).toBe(words);
	});

	it('page: get, a question of 501 characters', () => {
		expect(refusal(page, 'get', { jobId, passagesAbout: 'x'.repeat(501) })).toBe(
			"'Passages About' must be at most 500 characters long, not 501",
		);
	});

	it('agent: getSnapshot, no snapshot', () => {
		expect(refusal(agent, 'getSnapshot', { jobId })).toBe("'Snapshot ID' is required");
	});

	it('crawl: get, no job', () => {
		expect(refusal(crawl, 'get', {})).toBe("'Job ID' is required");
	});

	it.each<[Parameters, string]>([
		[{ limit: 0 }, "'Limit' must be a whole number from 1 to 20,000, not 0"],
		[{ limit: 20_001 }, "'Limit' must be a whole number from 1 to 20,000, not 20001"],
		[
			{ cutInto: 'chunks', maxChunkTokens: 49 },
			"'Max Tokens per Chunk' must be a whole number from 50 to 8,000 tokens, not 49",
		],
		[
			{ cutInto: 'chunks', maxChunkTokens: 8_001 },
			"'Max Tokens per Chunk' must be a whole number from 50 to 8,000 tokens, not 8001",
		],
		[
			{ readAgainEvery: 0 },
			"'Read Known Pages Again Every' must be a whole number from 1 to 1,000 runs, not 0",
		],
		[
			{ readAgainEvery: 1_001 },
			"'Read Known Pages Again Every' must be a whole number from 1 to 1,000 runs, not 1001",
		],
	])('site: sync, %j', (set, words) => {
		expect(refusal(site, 'sync', { url, ...set })).toBe(words);
	});

	it.each<[string, Parameters, string]>([
		['no prompt', {}, "'Prompt' is required"],
		[
			'a prompt of 10,001 characters',
			{ prompt: 'a'.repeat(10_001) },
			"'Prompt' must be at most 10,000 characters long, not 10,001",
		],
	])('crawl: previewParams, %s', (_name, set, words) => {
		expect(refusal(crawl, 'previewParams', { url, ...set })).toBe(words);
	});

	it.each<[string, Parameters, string]>([
		[
			'create',
			{ ttl: 3601 },
			"'Time to Live' must be a whole number from 30 to 3,600 seconds, not 3601",
		],
		['delete', {}, "'Session ID' is required"],
		[
			'getAll',
			also({ status: 'asleep' }),
			"'Status' must be one of active, destroyed, error, not asleep",
		],
		['getAll', { limit: 0 }, "'Limit' must be a whole number of at least 1, not 0"],
		[
			'create',
			also({ profile: { name: 'x'.repeat(129) } }),
			"'Profile > Name' must be at most 128 bytes long, not 129",
		],
		[
			'create',
			{ closeSession: 'maybe' },
			"'Close Session at End' must be true or false, not maybe",
		],
	])('session: %s, %j', (operation, set, words) => {
		expect(refusal(session, operation, set)).toBe(words);
	});
});
