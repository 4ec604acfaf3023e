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
/** The options that are sent as they are set. */
const options = {
	allowExternalLinks: true,
	allowSubdomains: true,
	crawlEntireDomain: false,
	delay: 0.5,
	ignoreQueryParameters: true,
	maxDiscoveryDepth: 0,
	prompt: 'Only the guides',
	regexOnFullURL: true,
	sitemap: 'only',
};

/** Panels and the request that each stands for. What a field sends on its own is asked in test/unit/WebData. */
const states: Record<string, State> = {
	'nothing but start page and limit': { set: {}, sent: {} },
	'nothing that was left empty': {
		set: {
			formats: ['markdown'],
			additionalFields: {
				headers: {},
				location: {},
				excludePaths: '',
				includePaths: '',
				prompt: '',
				requestJson: '{}',
				webhook: {},
			},
		},
		sent: {},
	},
	'every field': {
		set: {
			limit: 7,
			formats: ['markdown', 'links'],
			additionalFields: {
				...everyScrapeOption,
				actions: someActions,
				...options,
				includePaths: '^/guides.*\n^/a{1,2}$',
				excludePaths: '={{ ["tides$"] }}',
				webhook: {
					url: hook,
					events: ['completed'],
				},
			},
		},
		sent: {
			limit: 7,
			scrapeOptions: {
				formats: [{ type: 'markdown' }, { type: 'links' }],
				...everyScrapeOptionSent,
			},
			...options,
			includePaths: ['^/guides.*', '^/a{1,2}$'],
			excludePaths: ['tides$'],
			webhook: {
				url: hook,
				events: ['completed'],
			},
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

		expect(shown).toHaveLength(28);
		expect(shown).toEqual(jobs.fieldsIn('additionalFields', 'run'));
		expect([...new Set(covered)].sort()).toEqual(shown);
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
