import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
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
	sources: ['web', 'news'],
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
	outputOptions: { keepFields: 'url' },
	retries: { maxTries: 1 },
	limits: { maxConcurrency: 1 },
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
	outputOptions: { keepFields: 'url' },
	retries: { maxTries: 1 },
	limits: { maxConcurrency: 1 },
};

/** The fields of a watch that are not the search's: its price, and how it starts the workflow. */
const ofTrigger = ['costNotice', 'firstCheck', 'newestCount'];

/** The fields of the search that the editor shows for a watch. */
function fieldsFor(watch: string): INodeProperties[] {
	const { type } = testBed.engine.loader.getNode('webDataPollingTrigger');
	if ('nodeVersions' in type) throw new Error('The trigger has versions of its own');
	return type.description.properties.filter(
		({ name, displayOptions }) =>
			displayOptions?.show?.watch?.includes(watch) && !ofTrigger.includes(name),
	);
}

const namesIn = (group: INodeProperties['options'] = []) =>
	group.map((entry) => (entry as INodePropertyOptions | INodeProperties).name).sort();

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

	it('may have every field of a web search', () => {
		const fields = fieldsFor('search');
		const groupOf = (name: string) => fields.find((field) => field.name === name)?.options;

		expect(fields.map(({ name }) => name)).toEqual(Object.keys(webSearch));
		const additional = { ...Object(webSearch.additionalFields), ...inDomains.additionalFields };
		expect(Object.keys(additional).sort()).toEqual(namesIn(groupOf('additionalFields')));
		expect(Object.keys(Object(webSearch.scrapeOptions)).sort()).toEqual(
			namesIn(groupOf('scrapeOptions')),
		);
	});

	it('may have every field of a paper search', () => {
		const fields = fieldsFor('paper');

		expect(fields.map(({ name }) => name)).toEqual(Object.keys(paperSearch));
		expect(Object.keys(Object(paperSearch.additionalFields)).sort()).toEqual(
			namesIn(fields.find(({ name }) => name === 'additionalFields')?.options),
		);
	});
});
