import type { INodeParameters } from 'n8n-workflow';
import { useDocumentJobs } from '../documentJobs.cjs';

const url = 'https://tidewatch.example/guides';

interface BadInput {
	set: INodeParameters;
	/** What the message says, the field by its name in the editor first. */
	says: string[];
}

const also = (additionalFields: INodeParameters, ...says: string[]): BadInput => ({
	set: { additionalFields },
	says,
});
const json = (requestJson: string, ...says: string[]): BadInput => also({ requestJson }, ...says);

const bad: Record<string, BadInput> = {
	'no start page': { set: { url: '={{ "" }}' }, says: ["'URL' is required"] },
	'a start page that is missing': {
		set: { url: '={{ $json.absent }}' },
		says: ["'URL' is required"],
	},
	'a start page without a host': { set: { url: 'https://' }, says: ["'URL'", 'https://'] },
	'a start page of a host alone': { set: { url: 'intranet' }, says: ["'URL'", 'host', 'intranet'] },
	'a start page of another scheme': {
		set: { url: 'file:///etc' },
		says: ["'URL'", 'http', 'file:'],
	},
	'a list of start pages': { set: { url: `={{ ["${url}"] }}` }, says: ["'URL' must be text"] },
	'an include pattern that does not compile': also(
		{ includePaths: '^/guides\n[' },
		"'Include Paths > entry 2' must be a regular expression, not [",
	),
	'an exclude pattern that does not compile': also(
		{ excludePaths: '={{ ["*a"] }}' },
		"'Exclude Paths > entry 1' must be a regular expression such as .*\\.pdf, not the glob *a",
	),
	'no delay at all': also({ delay: 0 }, "'Delay' must be more than 0 seconds"),
	'a negative delay': also({ delay: -1 }, "'Delay'", '0 to 60 seconds', '-1'),
	'a delay of 61 seconds': also({ delay: 61 }, "'Delay'", '0 to 60 seconds', '61'),
	'no page': { set: { limit: 0 }, says: ["'Limit'", 'at least 1', '0'] },
	'half a page': { set: { limit: 1.5 }, says: ["'Limit'", 'whole number', '1.5'] },
	'pages in words': { set: { limit: '={{ "all" }}' }, says: ["'Limit'", 'all'] },
	'a negative depth': also({ maxDiscoveryDepth: -1 }, "'Max Discovery Depth'", 'at least 0'),
	'no page at once': also({ maxConcurrency: 0 }, "'Max Concurrency'", 'at least 1'),
	'a sitemap mode that does not exist': also({ sitemap: '={{ "auto" }}' }, "'Sitemap'", 'auto'),
	'a prompt of 10,001 characters': also(
		{ prompt: 'a'.repeat(10_001) },
		"'Prompt'",
		'10,000',
		'10,001',
	),
	'a switch that is neither on nor off': also(
		{ crawlEntireDomain: '={{ "perhaps" }}' },
		"'Crawl Entire Domain'",
		'perhaps',
	),
	'a key that is no UUID': also({ idempotencyKey: 'again' }, "'Idempotency Key'", 'again'),
	'a webhook without address': also(
		{ webhook: { events: ['page'] } },
		"'Webhook > URL' is required",
	),
	'a scrape option out of bounds': {
		set: { scrapeOptions: { timeout: 1 } },
		says: ['Timeout', '1,000'],
	},
	'formats that do not go together': {
		set: { formats: ['changeTracking'] },
		says: ["'Formats' needs Markdown"],
	},
	'a question without words': { set: { formats: ['question'] }, says: ["'Question' is required"] },
	"a batch's options at top level": json('{"formats": ["links"]}', "has no field 'formats'"),
	'a bad pattern in a request': json('{"includePaths": ["("]}', "'Include Paths > entry 1'", '('),
	'a request that is no JSON': json('{', "'Request (JSON)' is not valid JSON"),
};

describe('bad input of a crawl', () => {
	const jobs = useDocumentJobs('crawl');

	it.each(Object.entries(bad))(
		'is said before anything is sent: %s',
		async (_name, { set, says }) => {
			const run = await jobs.run('run', { url, ...set });

			expect(run.status).toBe('error');
			for (const words of says) expect(run.error?.message).toContain(words);
			expect(run.error?.message).toMatch(/\[item 0\]$/);
			expect(run.error?.description).toMatch(/^Nothing was sent/);
			expect(jobs.requests).toEqual([]);
		},
	);

	it('in one item stops all before the first is sent', async () => {
		const run = await jobs.run(
			'run',
			{ url, additionalFields: { includePaths: '={{ $json.pattern }}' } },
			{ input: [{ pattern: 'a' }, { pattern: 'b' }, { pattern: '(' }] },
		);

		expect(run.error?.message).toBe(
			"'Include Paths > entry 1' must be a regular expression, not ( [item 2]",
		);
		expect(jobs.requests).toEqual([]);
	});

	it.each<[string, INodeParameters, string]>([
		['previewParams', { url, prompt: '={{ "" }}' }, "'Prompt' is required"],
		['previewParams', { url: 'nohost', prompt: 'all' }, "'URL' must have a host"],
		['get', { jobId: 'latest' }, "'Job ID' must be an ID"],
		['cancel', { jobId: 'latest' }, "'Job ID' must be an ID"],
		['getErrors', { jobId: 'latest' }, "'Job ID' must be an ID"],
	])('of %s with %j', async (operation, set, words) => {
		const run = await jobs.run(operation, set);

		expect(run.error?.message).toContain(words);
		expect(jobs.requests).toEqual([]);
	});
});
