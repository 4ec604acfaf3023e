import type { IDataObject } from 'n8n-workflow';
import {
	check,
	fields,
	flag,
	isOn,
	membersOf,
	Refusal,
	wholeNumber,
} from '../../../runtime/contract';
import { answeredList } from '../../../runtime/answeredList';
import { fromJson } from '../../../runtime/json';
import { operation } from '../../../runtime/operation';
import { readPages } from '../../../runtime/paginate';
import { asRecord } from '../../../runtime/results';
import { settingsFields } from '../../../runtime/settings';
import { limitFields } from '../../fields/limit';

/** The last moment that a date can hold, in Unix milliseconds. */
const lastMoment = 8.64e15;

/** A date as text: those that expressions give write themselves as ISO dates in JSON. */
const written = (value: unknown): unknown =>
	typeof value === 'object' ? fromJson(JSON.stringify(value)) : value;

/** A moment as Unix milliseconds, given so or as a date. */
const moment = check((value) => {
	const isNumber = typeof value === 'string' && /^\d+$/.test(value.trim());
	const given = isNumber ? Number(value) : written(value);
	const time = typeof given === 'string' ? Date.parse(given) : given;
	return typeof time === 'number' && Number.isInteger(time) && time >= 0 && time <= lastMoment
		? time
		: new Refusal('must be a date, or Unix time in milliseconds');
});

/** GET /agent (addendum 1): pages of 20, newest first. */
export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many agent runs',
	description:
		"Returns the team's agent runs, newest first: ID, prompt, status and date, without results. Get reads the result of one. Free.",
	fields: [
		...limitFields({ initial: 50, description: 'Max number of results to return' }),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Before',
					name: 'before',
					type: 'dateTime',
					default: '',
					description: 'Only runs that were created before this moment',
				},
			],
		},
		...settingsFields(),
	],
	costs: 'free',
	contract: fields({
		returnAll: flag().optional(),
		limit: wholeNumber({ min: 1 }).optional(),
		before: moment.optional(),
	}),
	read: ({ returnAll, limit, additionalFields }) => ({
		returnAll,
		limit: isOn(returnAll) ? undefined : limit,
		...membersOf(additionalFields),
	}),
	async run({ before, limit = Infinity }, _values, call) {
		const runs = await readPages(
			{
				method: 'GET',
				path: '/agent',
				query: before === undefined ? {} : { before },
				cost: 'read',
			},
			({ agents }: IDataObject) => answeredList(agents, call.place),
			limit,
			call,
		);
		return runs.map((entry) => ({ json: asRecord(entry) }));
	},
});
