import { oneOf } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { longestPage } from '../../../runtime/http/paging';
import { aboutRequest, asRecord, label } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { jobId } from '../../fields/ids';
import { limit } from '../../fields/limit';
import { monitorEndpoints } from '../../fields/monitor/endpoints';
import { monitorId } from '../../fields/monitor/monitorId';
import { outputField } from '../../../runtime/form/resultSettings';
import { hasEnded, readCheck } from './check';

/** GET /monitor/{id}/checks/{checkId} (https://docs.firecrawl.dev/features/monitoring). */
export const getCheck = operation({
	name: 'Get Check',
	value: 'getCheck',
	action: 'Get a monitor check',
	description:
		'Returns the pages of a check, one item each: what changed, whether it matters for the goal, and the check itself under check. Free.',
	costs: 'free',
	request: form({
		monitorId,
		checkId: jobId('ID of the check, returned by Run, Get Many Checks and the webhook', 'Check ID'),
		...limit({ default: 50, description: 'Max number of results to return' }),
		...additionalFields({
			status: oneOf({
				displayName: 'Page Status',
				default: 'changed',
				options: [
					{ name: 'Changed', value: 'changed' },
					{ name: 'Error', value: 'error', description: 'The page could not be scraped' },
					{ name: 'New', value: 'new' },
					{ name: 'Removed', value: 'removed' },
					{ name: 'Same', value: 'same' },
				],
				description: 'Only pages with this status',
			}),
		}),
	}),
	settings: [outputField, ...settingsFields()],
	async run({ monitorId: id, checkId, limit: most = Infinity, status }, context) {
		const { output } = context.settings;
		const query = { limit: Math.min(longestPage, most), ...(status && { status }) };
		const { response, check, pages } = await readCheck(
			{ endpoint: monitorEndpoints.getCheck, ids: { id, checkId }, query },
			most,
			context,
		);
		if (!hasEnded(check)) {
			context.notice(
				`Check ${checkId} is still running (${String(check.status)}); more pages may follow.`,
			);
		}
		if (output === 'response') {
			const data = { ...check, pages: pages.map(asRecord) };
			return [{ json: { ...response, data } }];
		}
		// Without an item, only a notice can show how the check ended.
		if (pages.length === 0) {
			const which = status === undefined ? 'no pages' : `no pages with the status ${status}`;
			context.notice(`Check ${checkId} (${String(check.status)}) has ${which}.`);
		}
		const request = aboutRequest(response);
		return pages.map((page, index) => ({
			json: label(asRecord(page), { monitorId: id, checkId, position: index + 1, check, request }),
		}));
	},
});
