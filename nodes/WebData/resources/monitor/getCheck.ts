import { choice, fields, flag, isOn, membersOf, wholeNumber } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { longestPage } from '../../../runtime/paginateByOffset';
import { aboutRequest, asRecord, label } from '../../../runtime/results';
import { settingsFields } from '../../../runtime/settings';
import { limitFields } from '../../fields/limit';
import { monitorId, monitorIdField, monitorPath } from '../../fields/monitor/monitorId';
import { outputField } from '../../fields/output';
import { uuid } from '../../fields/uuid';
import { readCheck } from './check';

/** The states of a check that is still going on. */
const goingOn = new Set(['queued', 'running']);

/** GET /monitor/{id}/checks/{checkId} (addendum 10). */
export const getCheck = operation({
	name: 'Get Check',
	value: 'getCheck',
	action: 'Get a monitor check',
	description:
		'Returns the pages of a check, one item each: what changed, whether it matters for the goal, and the check itself under check. Free.',
	fields: [
		monitorIdField,
		{
			displayName: 'Check ID',
			name: 'checkId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b',
			description: 'ID of the check, as Run, Get Many Checks and the webhook give it',
		},
		...limitFields({ initial: 50, description: 'Max number of results to return' }),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Page Status',
					name: 'status',
					type: 'options',
					default: 'changed',
					options: [
						{ name: 'Changed', value: 'changed' },
						{ name: 'Error', value: 'error', description: 'The page could not be read' },
						{ name: 'New', value: 'new' },
						{ name: 'Removed', value: 'removed' },
						{ name: 'Same', value: 'same' },
					],
					description: 'Only pages in this state',
				},
			],
		},
		outputField,
		...settingsFields(),
	],
	costs: 'free',
	contract: fields({
		monitorId: monitorId(),
		checkId: uuid(),
		returnAll: flag().optional(),
		limit: wholeNumber({ min: 1 }).optional(),
		status: choice('same', 'new', 'changed', 'removed', 'error').optional(),
	}),
	read: ({ monitorId: picked, checkId, returnAll, limit, additionalFields }) => ({
		monitorId: picked,
		checkId,
		returnAll,
		limit: isOn(returnAll) ? undefined : limit,
		...membersOf(additionalFields),
	}),
	async run({ monitorId: id, checkId, limit = Infinity, status }, { output }, call) {
		const path = `${monitorPath(id)}/checks/${encodeURIComponent(checkId)}`;
		const query = { limit: Math.min(longestPage, limit), ...(status && { status }) };
		const { answer, check, pages, notices } = await readCheck(
			{ method: 'GET', path, query, cost: 'read' },
			limit,
			call,
		);
		notices.forEach(call.notice);
		if (goingOn.has(String(check.status))) {
			call.notice(`Check ${checkId} is still going on (${String(check.status)}); more may come.`);
		}
		if (output === 'response') {
			const data = { ...check, pages: pages.map(asRecord) };
			return [{ json: { ...answer, data } }];
		}
		// Without an item, nothing else would show how the check ended.
		if (pages.length === 0) {
			const which = status === undefined ? 'no pages' : `no pages with the status ${status}`;
			call.notice(`Check ${checkId} (${String(check.status)}) has ${which}.`);
		}
		const request = aboutRequest(answer);
		return pages.map((page, index) => ({
			json: label(asRecord(page), { monitorId: id, checkId, position: index + 1, check, request }),
		}));
	},
});
