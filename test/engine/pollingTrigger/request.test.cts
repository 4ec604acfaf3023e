import type { INodeParameters } from 'n8n-workflow';
import { everyScrapeOption, someActions } from '../everyScrapeOption.cjs';
import { useTestBed } from '../testBed.cjs';
import { watcher } from './watching.cjs';

const testBed = useTestBed();

/** Of the location and timeout, the search has its own. */
const { location: _location, timeout: _timeout, ...pagesOptions } = everyScrapeOption;

/** Every field of a web search, as the editor stores it; those that exclude each other in two sets. */
const webSearch: INodeParameters = {
	query: 'tide',
	limit: 7,
	scrapeResults: true,
	formats: ['markdown', 'links', 'highlights', 'json', 'question', 'screenshot'],
	highlightsQuery: 'high water',
	jsonPrompt: 'The times of high water',
	jsonSchemaType: 'example',
	jsonSchemaExample: '{"times": []}',
	jsonSchema: '{}',
	question: 'When is high water?',
	screenshotFullPage: true,
	actions: someActions,
	scrapeOptions: pagesOptions,
	additionalFields: {
		sources: ['web', 'news'],
		categories: ['pdf'],
		country: 'DE',
		enterprise: ['anon'],
		excludeDomains: 'a.example',
		highlights: false,
		ignoreInvalidURLs: true,
		location: 'Munich,Bavaria,Germany',
		requestJson: '{"safe": true}',
		tbs: { range: 'qdr:y', sortByDate: true },
		timeout: 30_000,
	},
	options: { maxRetryTime: 1 },
};
const inDomains = {
	...webSearch,
	additionalFields: { includeDomains: 'tidewatch.example', tbs: { from: '2026-01-05' } },
};

const paperSearch: INodeParameters = {
	query: 'tide gauges',
	k: 3,
	additionalFields: {
		authors: 'castellan, weide',
		categories: 'cs.LG',
		from: '2024-01-01',
		to: '2024-12-31',
	},
};

describe('the request of a watched search', () => {
	it.each<[string, string, string, string, INodeParameters]>([
		['web search', 'search', 'search', 'query', webSearch],
		['web search in given domains', 'search', 'search', 'query', inDomains],
		['paper search', 'paper', 'paper', 'search', paperSearch],
	])(
		'is that of the same %s by the action node',
		async (_name, watch, resource, operation, parameters) => {
			const asked = () => {
				// The action node may ask for the credits left afterwards.
				const [{ method, path, query, body }, ...more] = testBed.service.log.entries.filter(
					(entry) => entry.path !== '/v2/team/credit-usage',
				);
				expect(more).toEqual([]);
				testBed.service.log.clear();
				return { method, path, query: { ...query }, body };
			};
			const run = await testBed.run(resource, operation, parameters);
			expect(run.error?.message).toBeUndefined();
			const byAction = asked();

			const trigger = watcher(testBed, { watch, ...parameters });
			await trigger.activate();

			expect(asked()).toEqual(byAction);
		},
	);
});
