import { check, ValidationFailure } from '../../../runtime/form/schema';
import { byUrl, readList, requireArray } from '../../../runtime/http/paging';
import { field } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { fromJson } from '../../../runtime/values/json';
import { operation } from '../../../runtime/operation/operation';
import { asRecord } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { limit } from '../../fields/limit';
import { listAgentRuns } from './job';

/** The last moment of a date, in Unix milliseconds. */
const lastMoment = 8.64e15;

/** A date as text: dates from expressions become ISO dates in JSON. */
const written = (value: unknown): unknown =>
	typeof value === 'object' ? fromJson(JSON.stringify(value)) : value;

/** A moment as Unix milliseconds, from the same or a date. */
const moment = check((value) => {
	const isNumber = typeof value === 'string' && /^\d+$/.test(value.trim());
	const given = isNumber ? Number(value) : written(value);
	const time = typeof given === 'string' ? Date.parse(given) : given;
	return typeof time === 'number' && Number.isInteger(time) && time >= 0 && time <= lastMoment
		? time
		: new ValidationFailure('must be a date, or Unix time in milliseconds');
});

/**
 * GET /agent (https://docs.firecrawl.dev/api-reference/endpoint/agent-list), in pages of 20, newest
 * first.
 */
export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many agent runs',
	description:
		"Returns the team's agent runs, newest first: ID, prompt, status and date, without results. Free.",
	costs: 'free',
	request: form({
		...limit({ default: 50, description: 'Max number of results to return' }),
		...additionalFields({
			before: field(
				{
					displayName: 'Before',
					type: 'dateTime',
					default: '',
					description: 'Only runs created before this time',
				},
				moment,
			),
		}),
	}),
	settings: settingsFields(),
	async run({ before, limit: most = Infinity }, context) {
		const first = { endpoint: listAgentRuns, query: before === undefined ? {} : { before } };
		const runs = await readList(
			first,
			{
				entriesOf: ({ agents }) => requireArray(agents, context.errorSource),
				next: byUrl(first),
			},
			most,
			context,
		);
		return runs.map((entry) => ({ json: asRecord(entry) }));
	},
});
