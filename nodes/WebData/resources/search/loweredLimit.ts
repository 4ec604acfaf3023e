import type { IDataObject, INode } from 'n8n-workflow';
import { getTeamCredits } from '../../../runtime/api/teamEndpoints';
import { creditsIn } from '../../../runtime/limits/budget';
import type { ReadContext } from '../../../runtime/operation/operation';
import { listsIn } from '../../../runtime/output/results';
import { fieldOf } from '../../../runtime/values/record';
import { settle } from '../../../runtime/values/settle';

/** The last fetched balance of an execution's node, and the cost of its searches since. */
interface Balance {
	left: Promise<number>;
	spent: number;
}

const balances = new WeakMap<INode, Balance>();

/** Timeout of a request for the balance, in milliseconds. */
const lookupTimeout = 10_000;

/**
 * Fetches the remaining credits, which is free
 * (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage); unlimited if not reported.
 */
async function fetchCreditsLeft(context: ReadContext): Promise<number> {
	const usage = await settle(
		context.send({
			endpoint: getTeamCredits,
			longestWait: lookupTimeout,
			sentOnce: true,
		}),
	);
	const left = usage.ok
		? fieldOf(fieldOf(usage.value.body, 'data'), 'remainingCredits')
		: undefined;
	return typeof left === 'number' ? left : Infinity;
}

/** The length of the longest list of a search. */
const longestList = (response: IDataObject): number =>
	listsIn(response).reduce((most, [, entries]) => Math.max(most, entries.length), 0);

/**
 * Shows a notice if the remaining credits have lowered a search's limit, which the service does
 * silently (docs/api-notes.md, Credits): its longest list then equals the previous balance. Fetches
 * the balance after a search with fewer results than its limit, unless an earlier balance of the
 * execution suffices.
 */
export async function noticeLoweredLimit(
	limit: number | undefined,
	response: IDataObject,
	context: ReadContext,
): Promise<void> {
	const { node } = context.errorSource;
	const cost = creditsIn(response);
	const found = longestList(response);
	if (cost === undefined || limit === undefined || found === 0) return;
	const last = balances.get(node);
	if (last) last.spent += cost;
	if (found >= limit || (last && (await last.left) - last.spent >= limit)) return;
	const balance = { left: fetchCreditsLeft(context), spent: 0 };
	balances.set(node, balance);
	const left = await balance.left;
	if (left <= found && found <= left + cost) {
		context.notice(`The remaining credits lowered the limit of a search from ${limit} to ${found}`);
	}
}
