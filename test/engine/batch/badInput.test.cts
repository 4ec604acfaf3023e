import type { INodeParameters } from 'n8n-workflow';
import { tides, useDocumentJobs } from '../documentJobs.cjs';

interface BadInput {
	set: INodeParameters;
	/** What the message says, the field by its name in the editor first. */
	says: string[];
}

const also = (additionalFields: INodeParameters, ...says: string[]): BadInput => ({
	set: { additionalFields },
	says,
});
const reading = (scrapeOptions: INodeParameters, ...says: string[]): BadInput => ({
	set: { scrapeOptions },
	says,
});
const json = (requestJson: string, ...says: string[]): BadInput => also({ requestJson }, ...says);

const bad: Record<string, BadInput> = {
	'no address': { set: { urls: '={{ "" }}' }, says: ["'URLs' is required"] },
	'an address that is missing': {
		set: { urls: '={{ $json.absent }}' },
		says: ["'URLs' is required"],
	},
	'an empty list': { set: { urls: '={{ [] }}' }, says: ["'URLs'", 'at least 1', 'not 0'] },
	'nothing but commas': { set: { urls: ' , ,\n' }, says: ["'URLs'", 'at least 1', 'not 0'] },
	'a number': { set: { urls: '={{ 7 }}' }, says: ["'URLs' must be a list"] },
	'an address without a host': {
		set: { urls: `${tides}, nohost` },
		says: ["'URLs > entry 2'", 'host', 'nohost'],
	},
	'an address of a scheme alone': {
		set: { urls: 'https://' },
		says: ["'URLs > entry 1'", 'https://'],
	},
	'an address of another scheme': {
		set: { urls: `${tides}\nftp://a.example/x` },
		says: ["'URLs > entry 2'", 'http://', 'ftp:'],
	},
	'an address that is none': {
		set: { urls: '={{ ["https://not:a:url"] }}' },
		says: ["'URLs > entry 1'", 'https://not:a:url'],
	},
	'an entry that is no text': {
		set: { urls: `={{ ["${tides}", {"url": "${tides}"}] }}` },
		says: ["'URLs > entry 2'", 'text'],
	},
	'more than the service takes at once': {
		set: {
			urls: `={{ Array.from({ length: 11 }, () => "https://a.example/" + "x".repeat(1000000)) }}`,
		},
		says: ["'URLs'", '10 MB', 'split'],
	},
	'an ID to add to that is none': also({ appendToId: 'latest' }, "'Append to ID'", 'latest'),
	'no page at once': also({ maxConcurrency: 0 }, "'Max Concurrency'", 'at least 1', '0'),
	'half a page at once': also({ maxConcurrency: 1.5 }, "'Max Concurrency'", 'whole', '1.5'),
	'a switch that is neither on nor off': also(
		{ ignoreInvalidURLs: '={{ "perhaps" }}' },
		"'Ignore Invalid URLs'",
		'perhaps',
	),
	'a webhook without address': also(
		{ webhook: { events: ['page'] } },
		"'Webhook > URL' is required",
	),
	'a webhook of another scheme': also(
		{ webhook: { url: 'mailto:a@b.example' } },
		'Webhook',
		'http',
	),
	'a timeout that is too short': reading({ timeout: 999 }, "'Timeout'", '1,000', '999'),
	'a wait of more than half the timeout': reading(
		{ timeout: 2000, waitFor: 1001 },
		"'Wait For'",
		'half the timeout',
	),
	'two screenshots': {
		set: { formats: '={{ ["screenshot", "screenshot"] }}' },
		says: ["'Formats'", 'at most one Screenshot'],
	},
	'a JSON format without prompt or schema': {
		set: { formats: ['json'], jsonSchemaExample: '' },
		says: ["'JSON Prompt' is required where there is no schema"],
	},
	'a request that is no JSON': json('{urls:', "'Request (JSON)' is not valid JSON"),
	'a request that is a list': json('[1]', "'Request (JSON)' must be a JSON object"),
	"a crawl's wrapped options": json(
		'{"scrapeOptions": {"formats": ["links"]}}',
		"has no field 'scrapeOptions'",
	),
	'bad addresses in a request': json('{"urls": ["nohost"]}', "'URLs > entry 1'", 'nohost'),
	'a negative wait': {
		set: { maxWait: -1 },
		says: ["'Max Wait'", 'at least 0', '-1'],
	},
	'no try at all': { set: { retries: { maxTries: 0 } }, says: ["'Retries > Max Tries'", '0'] },
};

describe('bad input of a batch', () => {
	const jobs = useDocumentJobs('batch');

	it.each(Object.entries(bad))(
		'is said before anything is sent: %s',
		async (_name, { set, says }) => {
			const run = await jobs.run('run', { urls: tides, ...set });

			expect(run.status).toBe('error');
			for (const words of says) expect(run.error?.message).toContain(words);
			expect(run.error?.message).toMatch(/\[item 0\]$/);
			expect(run.error?.description).toMatch(/^Nothing was sent/);
			expect(jobs.requests).toEqual([]);
		},
	);

	it.each(['start', 'run'])('is all named at once: %s', async (operation) => {
		const run = await jobs.run(operation, {
			urls: tides,
			scrapeOptions: { timeout: 1 },
			additionalFields: { maxConcurrency: 0 },
		});

		for (const name of ["'Max Concurrency' must", "'Timeout' must"]) {
			expect(run.error?.message).toContain(name);
		}
		expect(jobs.requests).toEqual([]);
	});

	it.each(['get', 'cancel', 'getErrors'])('of %s names the ID', async (operation) => {
		const run = await jobs.run(operation, { jobId: '../crawl/active' });

		expect(run.error?.message).toMatch(/^'Job ID' must be an ID such as .*crawl.*\[item 0\]$/);
		expect(jobs.requests).toEqual([]);
	});

	it.each<[INodeParameters, string]>([
		[{ limit: 0, returnAll: false }, "'Limit' must be a whole number of at least 1, not 0"],
		[{ additionalFields: { skip: -1 } }, "'Skip' must be a whole number of at least 0, not -1"],
	])('of get: %j', async (set, words) => {
		const run = await jobs.run('get', { jobId: '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b', ...set });

		expect(run.error?.message).toContain(words);
		expect(jobs.requests).toEqual([]);
	});
});
