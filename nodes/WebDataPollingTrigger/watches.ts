import type { INodeProperties } from 'n8n-workflow';
import type { ReadOnlyOperation } from '../runtime/operation/operation';
import { isRecord, fieldOf, type JsonRecord } from '../runtime/values/record';
import { isoDay } from '../WebData/fields/day';
import { tbs } from '../WebData/fields/tbs';
import { search as paperSearch } from '../WebData/resources/paper/search';
import { query as webSearch } from '../WebData/resources/search/query';

/** A search that the trigger repeats. */
export interface Watch {
	name: string;
	/** Name in saved workflows; never changes. */
	value: string;
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

const web: Watch = {
	name: 'Search Results',
	value: 'search',
	operation: webSearch,
	hasPeriod: ({ tbs: filter, sources }) =>
		isPeriod(filter) ||
		(Array.isArray(sources) && sources.some((source) => isPeriod(fieldOf(source, 'tbs')))),
	since: (request, day) => ({
		...request,
		tbs: tbs.valueSchema.parse({ from: day, sortByDate: request.tbs === newestFirst }),
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
};

const papers: Watch = {
	name: 'Papers',
	value: 'paper',
	operation: paperSearch,
	hasPeriod: ({ from, to }) => from !== undefined || to !== undefined,
	since: (request, day) => ({ ...request, from: isoDay().parse(day) }),
	topic: (request) => entriesExcept(request, 'k', 'from', 'to'),
};

export const watches = [web, papers];

/** Removes the estimate, which cannot stop a trigger. */
const withoutEstimate = (field: INodeProperties): INodeProperties =>
	field.name === 'limits'
		? { ...field, options: field.options?.filter(({ name }) => name !== 'estimateOnly') }
		: field;

/** The search's own fields; the output of a trigger is always one item per result. */
const shown = ({ operation, value }: Watch): INodeProperties[] =>
	operation.fields
		.filter(({ name }) => name !== 'output')
		.map(withoutEstimate)
		.map((field) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: { watch: [value], ...field.displayOptions?.show },
			},
		}));

/** The search, with all fields of its own operation. */
export const watchFields: INodeProperties[] = [
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		noDataExpression: true,
		default: 'search',
		options: watches.map(({ name, value }) => ({ name, value })),
		description: 'What to watch',
	},
	...watches.flatMap(shown),
];
