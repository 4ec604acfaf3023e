import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';
import { everyScrapeOption, everyScrapeOptionSent, someActions } from '../everyScrapeOption.cjs';

interface State {
	/** What the user set in the editor, beside a query of `tide`. */
	set: INodeParameters;
	/** What the API gets, beside that query and the limit of 10. */
	sent: object;
}

const schema = { type: 'object', properties: { price: { type: 'number' } } };

/** Of the scrape options those that the search has as its own, which pages get as JSON. */
const { location, timeout, ...shownOptions } = everyScrapeOption;

/** The fields that are sent as they are set. */
const same = {
	country: 'UK',
	enterprise: ['anon'],
	highlights: false,
	ignoreInvalidURLs: true,
	location: 'Munich,Bavaria,Germany',
	timeout: 30_000,
};

/** Panels and the request that each stands for. What a field sends on its own is asked in test/unit/WebData. */
const states: Record<string, State> = {
	'nothing but a query': { set: {}, sent: {} },
	'fields added and left blank': {
		set: {
			scrapeResults: true,
			formats: [],
			actions: {},
			scrapeOptions: { profile: {}, includeTags: '' },
			additionalFields: {
				country: '',
				includeDomains: '',
				location: '',
				requestJson: '{}',
				sources: {},
				tbs: {},
			},
			options: {},
		},
		sent: { scrapeOptions: { formats: [{ type: 'markdown' }] } },
	},
	'every field of the search': {
		set: {
			limit: 7,
			additionalFields: {
				...same,
				sources: ['web', 'news'],
				categories: ['research', 'pdf'],
				includeDomains: 'https://TideWatch.example/, portoffice.example',
				tbs: { range: 'qdr:w', sortByDate: true },
			},
		},
		sent: {
			...same,
			limit: 7,
			sources: ['web', 'news'],
			categories: [{ type: 'research' }, { type: 'pdf' }],
			includeDomains: ['tidewatch.example', 'portoffice.example'],
			tbs: 'sbd:1,qdr:w',
		},
	},
	'every field of the pages': {
		set: {
			scrapeResults: true,
			formats: ['markdown', 'question', 'highlights', 'screenshot', 'json'],
			question: 'When is high water?',
			highlightsQuery: 'spring tide',
			screenshotFullPage: true,
			jsonPrompt: 'The price',
			jsonSchemaType: 'schema',
			jsonSchema: JSON.stringify(schema),
			actions: someActions,
			scrapeOptions: shownOptions,
			additionalFields: {
				requestJson: JSON.stringify({ scrapeOptions: { location, timeout } }),
			},
		},
		sent: {
			scrapeOptions: {
				...everyScrapeOptionSent,
				formats: [
					{ type: 'markdown' },
					{ type: 'question', question: 'When is high water?' },
					{ type: 'highlights', query: 'spring tide' },
					{ type: 'screenshot', fullPage: true },
					{ type: 'json', prompt: 'The price', schema },
				],
			},
		},
	},
	'expressions for lists, numbers, switches and a choice of fields': {
		set: {
			limit: '={{ "7" }}',
			scrapeResults: '={{ 1 < 2 }}',
			formats: '={{ "question, json" }}',
			question: 'When?',
			jsonSchemaType: 'schema',
			jsonSchema: '={{ { type: "object", properties: { price: { type: "number" } } } }}',
			scrapeOptions: { includeTags: '={{ ["main"] }}' },
			additionalFields: {
				categories: '={{ [{ type: "pdf" }] }}',
				highlights: '={{ "false" }}',
				timeout: '={{ "20000" }}',
			},
		},
		sent: {
			limit: 7,
			scrapeOptions: {
				formats: [
					{ type: 'question', question: 'When?' },
					{ type: 'json', schema },
				],
				includeTags: ['main'],
			},
			categories: [{ type: 'pdf' }],
			highlights: false,
			timeout: 20_000,
		},
	},
	"the node's own settings": {
		set: {
			options: { output: 'raw', downloadFiles: false, maxRetryTime: 60 },
		},
		sent: {},
	},
};

describe('the request of a search', () => {
	const testBed = useTestBed();

	it.each(Object.entries(states))('says what the user set: %s', async (_name, { set, sent }) => {
		const run = await testBed.search({ query: 'tide', ...set });

		expect(run.error?.message).toBeUndefined();
		expect(testBed.sent).toEqual([{ query: 'tide', limit: 10, ...sent }]);
		expect(testBed.service.log.entries[0].query).toEqual({});
	});

	it("takes each item's own request as JSON", async () => {
		await testBed.search(
			{
				query: '={{ $json.q }}',
				additionalFields: { requestJson: '={{ $json.request }}' },
			},
			{
				input: [
					{ q: 'tide', request: { limit: 1, scrapeOptions: { formats: ['links'] } } },
					{ q: 'coffee', request: '{"query": "espresso", "limit": 2}' },
					{ q: 'agents' },
				],
			},
		);

		expect(testBed.sent).toEqual([
			{ query: 'tide', limit: 1, scrapeOptions: { formats: [{ type: 'links' }] } },
			{ query: 'espresso', limit: 2 },
			{ query: 'agents', limit: 10 },
		]);
	});
});
