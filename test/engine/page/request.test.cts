import type { INodeParameters } from 'n8n-workflow';
import { everyScrapeOption, everyScrapeOptionSent, someActions } from '../everyScrapeOption.cjs';
import { useTestBed } from '../testBed.cjs';

const schema = { type: 'object', properties: { price: { type: 'number' } } };

interface State {
	/** What the user set in the editor, beside the URL. */
	set: INodeParameters;
	/** What the API gets, beside the URL. */
	sent: object;
}

/** Panels and the request that each stands for. What a field sends on its own is asked in test/unit/WebData. */
const states: Record<string, State> = {
	'nothing but a URL': { set: {}, sent: {} },
	'fields added and left empty': {
		set: {
			formats: ['markdown'],
			actions: {},
			additionalFields: { location: {}, headers: [], profile: {}, parsers: {} },
			options: {},
		},
		sent: {},
	},
	'every field': {
		set: {
			formats: [
				'markdown',
				'json',
				'screenshot',
				'question',
				'highlights',
				'changeTracking',
				'branding',
				'menu',
			],
			jsonPrompt: 'The price',
			jsonSchemaType: 'schema',
			jsonSchema: JSON.stringify(schema),
			screenshotFullPage: true,
			question: 'When?',
			highlightsQuery: 'tide',
			changeTrackingModes: ['git-diff', 'json'],
			changeTrackingPrompt: 'What is new',
			changeTrackingSchemaType: 'schema',
			changeTrackingSchema: JSON.stringify(schema),
			changeTrackingTag: 'daily',
			actions: someActions,
			additionalFields: {
				...everyScrapeOption,
				requestJson: '{"zeroDataRetention": false, "minAge": 1}',
			},
		},
		sent: {
			formats: [
				{ type: 'markdown' },
				{ type: 'json', prompt: 'The price', schema },
				{ type: 'screenshot', fullPage: true },
				{ type: 'question', question: 'When?' },
				{ type: 'highlights', query: 'tide' },
				{
					type: 'changeTracking',
					modes: ['git-diff', 'json'],
					schema,
					prompt: 'What is new',
					tag: 'daily',
				},
				{ type: 'branding' },
				{ type: 'menu' },
			],
			...everyScrapeOptionSent,
			zeroDataRetention: false,
			minAge: 1,
		},
	},
	'the node’s own settings, of which nothing is sent': {
		set: {
			options: {
				output: 'fields',
				outputFields: 'markdown',
				downloadFiles: true,
				maxCreditsPerExecution: 9,
				maxRetryTime: 5,
			},
		},
		sent: {},
	},
};

describe('the request of a scrape', () => {
	const testBed = useTestBed();
	const url = 'https://tidewatch.example/guides/spring-tides';

	it.each(Object.entries(states))('is what the editor shows: %s', async (_name, { set, sent }) => {
		const run = await testBed.run('page', 'scrape', { url, ...set });

		// A request that asks the cache alone finds nothing there; every one is well formed.
		expect(run.error?.message ?? '').not.toContain('HTTP 400');
		const [request, ...more] = testBed.service.log.entries.filter(
			({ method }) => method === 'POST',
		);
		expect([request.path, more]).toEqual(['/v2/scrape', []]);
		expect(request.body).toEqual({ url, ...sent });
	});

	it('is one for each item', async () => {
		const paths = ['guides/spring-tides', 'guides/storm-surges', 'energy'];
		const addresses = paths.map((path) => `https://tidewatch.example/${path}`);

		const run = await testBed.run(
			'page',
			'scrape',
			{ url: '={{ $json.address }}' },
			{ input: addresses.map((address) => ({ address })) },
		);

		expect(run.output().map(({ json }) => json.metadata)).toMatchObject(
			addresses.map((sourceURL) => ({ sourceURL })),
		);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});
});
