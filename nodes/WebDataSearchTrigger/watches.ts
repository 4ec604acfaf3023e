import type { INodeProperties } from 'n8n-workflow';
import type { Inquiry } from '../runtime/operation';
import { isRecord, type JsonRecord } from '../runtime/record';
import { search as paperSearch } from '../WebData/resources/paper/search';
import { query as webSearch } from '../WebData/resources/search/query';

/** A search that can be repeated, and how it is told to return only what is new. */
export interface Watch {
	name: string;
	/** Name in saved workflows; never changes. */
	value: string;
	inquiry: Inquiry;
	/** The member of the request that limits it to a period. */
	period: string;
	/** The same request for results since a day only. */
	since(body: JsonRecord, day: Date): JsonRecord;
	/** Members of the request that do not change what is searched for. */
	asides: string[];
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

const american = (day: Date) =>
	`${twoDigits(day.getUTCMonth() + 1)}/${twoDigits(day.getUTCDate())}/${day.getUTCFullYear()}`;

export const watches: Watch[] = [
	{
		name: 'Web Search',
		value: 'search',
		inquiry: webSearch,
		period: 'tbs',
		since: (body, day) => ({
			...body,
			tbs: `cdr:1,cd_min:${american(day)},cd_max:${american(new Date())}`,
		}),
		asides: ['limit', 'timeout', 'scrapeOptions', 'highlights'],
	},
	{
		name: 'Paper Search',
		value: 'paper',
		inquiry: paperSearch,
		period: 'from',
		since: (body, day) => ({ ...body, from: day.toISOString().slice(0, 10) }),
		asides: ['k'],
	},
];

/** The search's own fields; what comes out of a trigger is always one item per result. */
const shown = ({ inquiry, value }: Watch): INodeProperties[] =>
	inquiry.fields
		.filter(({ name }) => name !== 'output')
		.map((field) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: { watch: [value], ...field.displayOptions?.show },
			},
		}));

/** What to search for, and all that the search's own operation offers. */
export const watchFields: INodeProperties[] = [
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		noDataExpression: true,
		default: 'search',
		options: watches.map(({ name, value }) => ({ name, value })),
		description: 'What to search again and again',
	},
	...watches.flatMap(shown),
];

/** The request without what does not change the search: by it a memory knows whose it is. */
export const subject = ({ value, asides }: Watch, body: unknown): string =>
	JSON.stringify([
		value,
		Object.entries(isRecord(body) ? body : {}).filter(([name]) => !asides.includes(name)),
	]);
