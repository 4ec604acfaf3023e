import type { INodeProperties } from 'n8n-workflow';
import { operationError } from '../runtime/errors/message';
import type { ReadOnlyOperation } from '../runtime/operation/operation';
import { pluralize } from '../runtime/values/text';
import { isRecord, fieldOf, type JsonRecord } from '../runtime/values/record';
import { isoDay } from '../WebData/fields/time';
import { tbs } from '../WebData/fields/time';
import { search as paperSearch } from '../WebData/resources/paper';
import { query as webSearch } from '../WebData/resources/search';
import { NewResults } from './newResults';
import type { Watch } from './watch';

const day = 86_400_000;

/** A search that the trigger repeats. */
interface RepeatedSearch extends Pick<Watch, 'name' | 'value' | 'description' | 'action'> {
	operation: ReadOnlyOperation;
	/** Whether a request has a period. */
	hasPeriod(request: JsonRecord): boolean;
	/** Limits a request to results since a day. */
	since(request: JsonRecord, day: Date): JsonRecord;
	/**
	 * The fields of a request that identify the search, without limits and periods, which may move
	 * with the date.
	 */
	topic(request: JsonRecord): unknown;
}

const entriesExcept = (record: JsonRecord, ...names: string[]) =>
	Object.entries(record).filter(([name]) => !names.includes(name));

const newestFirst = 'sbd:1';

const isPeriod = (filter: unknown) => filter !== undefined && filter !== newestFirst;

/** The search's own fields; the output of a trigger is always one item per result. */
const fieldsOf = ({ fields }: ReadOnlyOperation): INodeProperties[] =>
	fields.filter(({ name }) => name !== 'output');

const searchWatch = ({ operation, hasPeriod, since, topic, ...about }: RepeatedSearch): Watch => ({
	...about,
	fields: fieldsOf(operation),
	read: (values) => operation.read(values),
	schema: operation.schema,
	async check(body, state, context) {
		const { trigger, errorSource, now } = context;
		const request = isRecord(body) ? body : {};
		if (trigger.onlySinceLastCheck && hasPeriod(request)) {
			throw operationError(
				`'Only Since Last Check' sets the period of the search`,
				'Remove the period from the search, or turn the option off.',
				errorSource,
			);
		}
		const comparison = new NewResults(state ?? {}, JSON.stringify(topic(request)), trigger);
		const { lastTime } = comparison;
		// A time in the future is from before the clock was set back.
		const isLimited = trigger.onlySinceLastCheck && lastTime !== undefined && lastTime <= now;
		const results = await operation.run(
			isLimited ? since(request, new Date(lastTime.getTime() - day)) : request,
			context,
		);
		const newResults = comparison.newResultsIn(results);
		return {
			found: newResults.map(({ result, key, state: fields = '' }) => ({
				id: `${key} ${fields}`,
				result,
			})),
			nextState: comparison.record(newResults, now),
			checked: pluralize(results.length, 'result'),
		};
	},
});

/** Repeats a search of the web. */
export const webSearchWatch = searchWatch({
	name: 'Search Results',
	value: 'search',
	description: 'New results of a web search',
	action: 'On new search results',
	operation: webSearch,
	hasPeriod: ({ tbs: filter, sources }) =>
		isPeriod(filter) ||
		(Array.isArray(sources) && sources.some((source) => isPeriod(fieldOf(source, 'tbs')))),
	since: (request, from) => ({
		...request,
		tbs: tbs.valueSchema.parse({ from, sortByDate: request.tbs === newestFirst }),
	}),
	topic: ({ sources, ...request }) => [
		entriesExcept(
			request,
			'limit',
			'timeout',
			'scrapeOptions',
			'highlights',
			'tbs',
			'origin',
			'integration',
		),
		Array.isArray(sources)
			? sources.map((source) => (isRecord(source) ? entriesExcept(source, 'tbs') : source))
			: [],
	],
});

/** Repeats a search of papers. */
export const paperWatch = searchWatch({
	name: 'Papers',
	value: 'paper',
	description: 'New results of a paper search',
	action: 'On new papers',
	operation: paperSearch,
	hasPeriod: ({ from, to }) => from !== undefined || to !== undefined,
	since: (request, from) => ({ ...request, from: isoDay().parse(from) }),
	topic: (request) => entriesExcept(request, 'k', 'from', 'to'),
});
