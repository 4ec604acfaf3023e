import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { callOn, complete, policyOf, type Errand } from '../runtime/call';
import { connect } from '../runtime/connection';
import { membersOf } from '../runtime/contract';
import { inputError, operationError, type Place } from '../runtime/errors';
import type { Result, Values } from '../runtime/operation';
import { isRecord } from '../runtime/record';
import { settingsContract } from '../runtime/settings';
import { Spending } from '../runtime/spending';
import { Check, type Find } from './check';
import { triggerContract, triggerFields } from './settings';
import { subject, watches, watchFields } from './watches';

const day = 86_400_000;

/** Milliseconds that n8n gives a check where it does not tell. */
const usualBudget = 300_000;

const allFields = [...watchFields, ...triggerFields];

function watchOf(context: IPollFunctions, place: Place) {
	const chosen = context.getNodeParameter('watch', 'search');
	const watch = watches.find(({ value }) => value === chosen);
	if (watch) return watch;
	throw operationError(
		`This version of the node cannot watch '${String(chosen)}'`,
		'Update the node, or choose another search.',
		place,
	);
}

/**
 * Carries out one check. Nothing is remembered before it is handed over, so that a check that fails
 * loses nothing; by hand, it shows what is there and remembers nothing.
 * @throws NodeApiError or NodeOperationError, which n8n logs and hands to the error workflow
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const { gate, conceal } = await connect(context);
	const place: Place = { node: context.getNode(), fields: allFields, conceal };
	const watch = watchOf(context, place);
	const values: Values = Object.fromEntries(
		allFields.map(({ name }) => [name, context.getNodeParameter(name, null)]),
	);
	const body = watch.inquiry.contract.safeParse(watch.inquiry.read(values));
	const settings = settingsContract.safeParse(values.options ?? {});
	const trigger = triggerContract.safeParse({
		firstCheck: values.firstCheck,
		newestCount: values.newestCount,
		executions: values.executions,
		...membersOf(values.triggerOptions),
	});
	if (!body.success || !settings.success || !trigger.success) {
		const issues = [body, settings, trigger].flatMap(({ error }) => error?.issues ?? []);
		throw inputError(issues, place);
	}
	const request = isRecord(body.data) ? body.data : {};
	if (trigger.data.onlySinceLastCheck && request[watch.period] !== undefined) {
		throw operationError(
			`'Only Since Last Check' sets the period of the search itself`,
			'Remove the period from the search, or turn the option off.',
			place,
		);
	}

	const policy = policyOf(settings.data);
	const budget = context.getPollBudgetMs?.() ?? usualBudget;
	const errand: Errand = {
		line: { context, gate, place, policy: { ...policy, budget: Math.min(policy.budget, budget) } },
		settings: settings.data,
		requests: [],
		notices: new Set(),
		spending: new Spending(),
	};
	const ask = async (asked: unknown): Promise<Result[]> =>
		await watch.inquiry.run(asked, { ...values, output: 'results' }, callOn(errand));
	const itemsOf = async (finds: Find[]): Promise<INodeExecutionData[]> => {
		const results = finds.map(({ result }) => result);
		const items = await complete(results, errand, context.helpers);
		return items.map(({ json, binary }) => ({ json, ...(binary && { binary }) }));
	};

	if (context.getMode() === 'manual') {
		const all = new Check({}, '', { ...trigger.data, firstCheck: 'all' }).findsIn(
			await ask(request),
		);
		return all.length === 0 ? null : [await itemsOf(all)];
	}
	const stored = context.getWorkflowStaticData('node');
	const check = new Check(stored, subject(watch, request), trigger.data);
	const { lastTime } = check;
	const since =
		trigger.data.onlySinceLastCheck && lastTime
			? watch.since(request, new Date(lastTime.getTime() - day))
			: request;
	const startedAt = new Date();
	const finds = check.findsIn(await ask(since));
	const items = await itemsOf(finds);
	if (trigger.data.executions === 'one') {
		Object.assign(stored, check.note(finds, startedAt));
		return items.length === 0 ? null : [items];
	}
	for (const [index, item] of items.entries()) {
		Object.assign(stored, check.note([finds[index]], startedAt));
		context.__emit([[item]]);
	}
	Object.assign(stored, check.note([], startedAt));
	return null;
}
