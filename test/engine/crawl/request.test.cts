import type { INodeParameters } from 'n8n-workflow';
import { useDocumentJobs } from '../documentJobs.cjs';
import { everyScrapeOption, everyScrapeOptionSent, someActions } from '../everyScrapeOption.cjs';

interface State {
	/** What the user set in the editor, beside the start page. */
	set: INodeParameters;
	/** What the API gets, beside the start page and the limit. */
	sent: object;
}

const url = 'https://tidewatch.example/guides';
// Nobody listens there: the deliveries fail at once.
const hook = 'http://127.0.0.1:9/hook';
const also = (additionalFields: INodeParameters, sent: object = additionalFields): State => ({
	set: { additionalFields },
	sent,
});

/** Every field once on its own; what goes over the wire is what was set and nothing else. */
const states: Record<string, State> = {
	'nothing but start page and limit': { set: {}, sent: {} },
	'nothing that was left empty': {
		set: {
			formats: [],
			scrapeOptions: { headers: {}, location: {} },
			additionalFields: {
				excludePaths: '',
				idempotencyKey: '',
				includePaths: '',
				prompt: '',
				requestJson: '{}',
				robotsUserAgent: '',
				webhook: {},
			},
		},
		sent: {},
	},
	'every option': also({
		allowExternalLinks: true,
		allowSubdomains: true,
		crawlEntireDomain: true,
		deduplicateSimilarURLs: true,
		delay: 1,
		ignoreQueryParameters: true,
		ignoreRobotsTxt: true,
		maxConcurrency: 2,
		maxDiscoveryDepth: 3,
		prompt: 'Only the guides',
		regexOnFullURL: true,
		robotsUserAgent: 'ArchiveBot',
		sitemap: 'only',
		zeroDataRetention: true,
	}),
	'switches that are off, and zeros': also({
		allowExternalLinks: false,
		allowSubdomains: false,
		crawlEntireDomain: false,
		deduplicateSimilarURLs: false,
		ignoreQueryParameters: false,
		ignoreRobotsTxt: false,
		maxDiscoveryDepth: 0,
		regexOnFullURL: false,
		zeroDataRetention: false,
	}),
	'a delay in seconds, the smallest': also({ delay: 0.1 }),
	'a delay in seconds, the longest': also({ delay: 60 }),
	'patterns by lines, commas belonging to them': also(
		{ includePaths: '^/guides.*\n^/a{1,2}$', excludePaths: 'tides$' },
		{ includePaths: ['^/guides.*', '^/a{1,2}$'], excludePaths: ['tides$'] },
	),
	'patterns by expression': also(
		{ includePaths: '={{ ["^/guides"] }}', excludePaths: '["a", "b"]' },
		{ includePaths: ['^/guides'], excludePaths: ['a', 'b'] },
	),
	'the formats in scrapeOptions': {
		set: { formats: ['markdown', 'links'] },
		sent: { scrapeOptions: { formats: [{ type: 'markdown' }, { type: 'links' }] } },
	},
	'nothing of markdown alone, which the service makes anyway': {
		set: { formats: ['markdown'], scrapeOptions: { mobile: true } },
		sent: { scrapeOptions: { mobile: true } },
	},
	'the formats of an expression, with what one needs': {
		set: { formats: '={{ ["json", "links"] }}', jsonPrompt: 'The title' },
		sent: {
			scrapeOptions: { formats: [{ type: 'json', prompt: 'The title' }, { type: 'links' }] },
		},
	},
	'every scrape option in scrapeOptions': {
		set: { actions: someActions, scrapeOptions: everyScrapeOption },
		sent: { scrapeOptions: everyScrapeOptionSent },
	},
	'a webhook': also(
		{
			webhook: {
				url: hook,
				headers: [{ name: 'X-Case', value: '7' }],
				metadata: [{ name: 'row', value: '12' }],
				events: ['completed'],
			},
		},
		{
			webhook: {
				url: hook,
				headers: { 'X-Case': '7' },
				metadata: { row: '12' },
				events: ['completed'],
			},
		},
	),
	"members in the API's own shape": {
		set: {
			formats: ['html'],
			scrapeOptions: { mobile: true },
			additionalFields: {
				sitemap: 'skip',
				requestJson: '{"scrapeOptions": {"formats": ["links"]}, "sitemap": "only", "delay": 2}',
			},
		},
		sent: {
			scrapeOptions: { mobile: true, formats: [{ type: 'links' }] },
			sitemap: 'only',
			delay: 2,
		},
	},
};

describe("a crawl's request", () => {
	const jobs = useDocumentJobs('crawl');

	it.each(Object.entries(states))('holds %s', async (_name, { set, sent }) => {
		const run = await jobs.run('start', { url, ...set });

		expect(run.error?.message).toBeUndefined();
		expect(jobs.bodies).toEqual([{ url, limit: 100, ...sent }]);
	});

	it('can hold every field that the editor shows', () => {
		const shown = jobs.fieldsIn('additionalFields', 'start');
		const covered = Object.values(states).flatMap(({ set }) =>
			Object.keys(set.additionalFields ?? {}),
		);

		expect(shown).toHaveLength(19);
		expect(shown).toEqual(jobs.fieldsIn('additionalFields', 'run'));
		expect([...new Set(covered)].sort()).toEqual(shown);
	});

	it.each<[string, INodeParameters, number]>([
		['100 when it was not touched', {}, 100],
		['100 when it was emptied', { limit: '' }, 100],
		['100 when an expression gives nothing', { limit: '={{ $json.absent }}' }, 100],
		['the one that was set', { limit: 7 }, 7],
		['a large one, too', { limit: 1_000_000 }, 1_000_000],
		['one as text', { limit: '={{ "12" }}' }, 12],
		['that of the request', { additionalFields: { requestJson: '{"limit": 3}' } }, 3],
	])('always holds a limit: %s', async (_name, set, limit) => {
		await jobs.run('start', { url, ...set }, { account: jobs.testBed.account({ credits: 2e6 }) });

		expect(jobs.bodies).toEqual([{ url, limit }]);
	});

	it('is the same for Run as for Start', async () => {
		const parameters = { url, limit: 5, additionalFields: { maxDiscoveryDepth: 1 } };

		await jobs.run('start', parameters);
		await jobs.run('run', { ...parameters, wait: 'none', returnFailed: true, output: 'response' });

		const [start, run] = jobs.bodies;
		expect(run).toEqual(start);
	});

	it('is one for each item', async () => {
		const starts = ['guides', 'stations'].map((folder) => ({
			url: `https://tidewatch.example/${folder}`,
		}));

		const run = await jobs.run('start', { url: '={{ $json.url }}' }, { input: starts });

		expect(jobs.bodies).toEqual(starts.map((start) => ({ ...start, limit: 100 })));
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});
});
