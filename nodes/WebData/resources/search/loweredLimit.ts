import type { IDataObject, INode } from 'n8n-workflow';
import { getTeamCredits } from '../../../runtime/api/teamEndpoints';
import { creditsIn } from '../../../runtime/limits/budget';
import type { ReadContext, Result } from '../../../runtime/operation/operation';
import { fieldOf } from '../../../runtime/values/record';
import { settle } from '../../../runtime/values/settle';

/** The credits that were left when an execution's node last asked, and what its searches have cost since. */
interface Look {
	left: Promise<number>;
	spent: number;
}

const looks = new WeakMap<INode, Look>();

/** How long the credits left may be waited for, in milliseconds. */
const longestLookup = 10_000;

/** The credits left, which are free to ask for (https://docs.firecrawl.dev/api-reference/endpoint/credit-usage); no bound where nobody tells. */
async function askCreditsLeft(context: ReadContext): Promise<number> {
	const usage = await settle(
		context.send({
			endpoint: getTeamCredits,
			longestWait: longestLookup,
			sentOnce: true,
		}),
	);
	const left = usage.ok
		? fieldOf(fieldOf(usage.value.body, 'data'), 'remainingCredits')
		: undefined;
	return typeof left === 'number' ? left : Infinity;
}

/** The length of the longest list among the results of a search. */
function longestList(results: readonly Result[]): number {
	const counts = new Map<unknown, number>();
	for (const { json } of results) counts.set(json.source, (counts.get(json.source) ?? 0) + 1);
	return [...counts.values()].reduce((one, other) => Math.max(one, other), 0);
}

/**
 * Says that the credits left have lowered a search's limit, which the service does without a word (docs/api-notes.md,
 * Credits): its longest list is as long as there were credits before it. They are asked for after a search that
 * found less than its limit, unless an earlier one of the execution has shown that there are enough.
 */
export async function noticeLoweredLimit(
	limit: number | undefined,
	results: readonly Result[],
	response: IDataObject,
	context: ReadContext,
): Promise<void> {
	const { node } = context.errorSource;
	const cost = creditsIn(response);
	const found = longestList(results);
	if (cost === undefined || limit === undefined || found === 0) return;
	const last = looks.get(node);
	if (last) last.spent += cost;
	if (found >= limit || (last && (await last.left) - last.spent >= limit)) return;
	const look = { left: askCreditsLeft(context), spent: 0 };
	looks.set(node, look);
	const left = await look.left;
	if (left <= found && found <= left + cost) {
		context.notice(`The remaining credits lowered the limit of a search from ${limit} to ${found}`);
	}
}
