import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import {
	asWebDataError,
	type ErrorSource,
	inputError,
	operationError,
} from '../runtime/errors/webDataError';
import { triggerParameters } from '../runtime/execution/parameters';
import { readSettings, type Settings } from '../runtime/form/settings';
import { connect, type Connection } from '../runtime/http/connection';
import { complete, newRun, policyOf, readContextOf, type Item } from '../runtime/execution/item';
import { Spending } from '../runtime/spending/budget';
import { asRecord } from '../runtime/execution/results';
import { settle } from '../runtime/values/outcome';
import { isRecord } from '../runtime/values/record';
import { SeenSet } from '../runtime/values/seenSet';
import { pluralize } from '../runtime/values/text';
import { documentFormat } from '../WebData/documents/document';
import { runKept } from './keptJob';
import { monitorWatch } from './monitorWatch';
import { pageWatch } from './pageWatch';
import { paperWatch, siteWatch, webSearchWatch } from './searchWatch';
import { triggerForm, type Watch } from './watch';

/** Everything that the trigger can poll. */
export const watches: Watch[] = [monitorWatch, pageWatch, paperWatch, webSearchWatch, siteWatch];

/** Fields of all watches and of the trigger. */
const fields = [...watches.flatMap((each) => each.fields), ...triggerForm.fields];

/** Most writes of the stored state per check: a write takes time in proportion to its size. */
const mostWrites = 100;

/** Most findings of a check that are known to have been returned after a stop. */
const mostReturned = 50_000;

/** Milliseconds for the retries of a check if n8n sets no limit. */
const defaultRetryTime = 300_000;

/** Part of n8n's time for a poll that a job may take; the rest is for fetching its results. */
const shareOfJob = 0.8;

/** Reads and validates the parameters before anything is sent. By hand, all that exists counts. */
function readCheckParameters(context: IPollFunctions, errorSource: ErrorSource) {
	const values = triggerParameters(context, ['watch', ...fields.map(({ name }) => name)]);
	const watch = watches.find(({ value }) => value === values.watch);
	if (!watch) {
		throw operationError(
			`This version of the node does not support '${String(values.watch)}'`,
			'Update the node, or choose something else to watch.',
			errorSource,
		);
	}
	const request = watch.schema.safeParse(watch.read(values));
	const settings = readSettings(values);
	const trigger = triggerForm.schema.safeParse(triggerForm.read(values));
	if (!request.success || !settings.success || !trigger.success) {
		const issues = [request, settings, trigger].flatMap(({ error }) => error?.issues ?? []);
		throw inputError(issues, { ...errorSource, fields: [...watch.fields, ...triggerForm.fields] });
	}
	const isManual = context.getMode() === 'manual';
	const always = isManual && ({ firstCheck: 'all', executions: 'one' } as const);
	return {
		watch,
		request: request.data,
		settings: settings.data,
		isManual,
		trigger: { ...trigger.data, ...always },
	};
}

/** One poll as an item of the runtime, whose requests share what a check costs. */
function itemOf(
	context: IPollFunctions,
	errorSource: ErrorSource,
	connection: Connection,
	settings: Settings,
): Item {
	const time = context.getPollBudgetMs?.() ?? Infinity;
	const policy = policyOf(settings);
	return {
		context,
		limiters: connection.limiters,
		inPrivateNetwork: connection.inPrivateNetwork,
		isHosted: connection.isHosted,
		errorSource,
		policy: { ...policy, budget: Math.min(policy.budget, defaultRetryTime, time) },
		// n8n shows no hints of triggers.
		notice: (text) => context.logger.warn(errorSource.redact(text)),
		settings: { ...settings, maxWait: Math.min(settings.maxWait, (time * shareOfJob) / 60_000) },
		requests: [],
		runIndex: () => 0,
		run: newRun(connection, documentFormat, new Spending()),
	};
}

/** The jobs of checks that did not succeed, by trigger: of a poll by hand or at activation, n8n stores nothing. */
const jobsByTrigger = new Map<string, IDataObject>();

/** Runs one check and returns what is new, which n8n saves with its execution. By hand, stores nothing and returns all. */
async function check(
	context: IPollFunctions,
	id: string,
	{ watch, request, trigger, isManual }: ReturnType<typeof readCheckParameters>,
	item: Item,
): Promise<INodeExecutionData[][] | null> {
	const stored = isManual ? {} : context.getWorkflowStaticData('node');
	const isKnown = stored.watch === watch.value && isRecord(stored.state);
	const state = isKnown ? (stored.state as IDataObject) : undefined;
	const jobs = asRecord(stored.jobs ?? jobsByTrigger.get(id) ?? {});
	stored.jobs = jobs;
	jobsByTrigger.set(id, jobs);
	const now = new Date();
	const checking = watch.check(request, state, {
		...readContextOf(item),
		runKept: async (job, start, look) => {
			const requests = [{ itemIndex: 0, body: start.body }];
			const left = item.settings.maxWait - (Date.now() - now.getTime()) / 60_000;
			const settings = { ...item.settings, maxWait: Math.max(0, left) };
			return await runKept(job, start, jobs, { ...item, settings, requests }, look);
		},
		trigger,
		isManual,
		now,
	});
	const outcome = await settle(checking);
	if (!outcome.ok) {
		// n8n stores nothing of a check that throws, and the jobs that it has started are paid for.
		if (isManual || Object.keys(jobs).length === 0) throw outcome.error;
		context.__emitError(asWebDataError(outcome.error, item.errorSource).render());
		return null;
	}
	const { found: all, nextState, checked } = outcome.value;
	const returned = new SeenSet(stored.returned, mostReturned);
	const found = all.filter(
		({ id: finding, isExisting = false }) =>
			(!isExisting || trigger.firstCheck === 'all') && !returned.has(finding),
	);
	const results = found.map(({ result }) => result);
	const made = await complete(results, item, context.helpers);
	const items = made.map(({ json, binary }) => ({ json, ...(binary && { binary }) }));
	// n8n shows nothing of a check that finds nothing, and no notices of triggers.
	const count = isManual ? '' : `, ${items.length === 0 ? 'nothing' : items.length} new`;
	const cost = pluralize(item.run.spending.spent, 'credit');
	const text = `'${context.getNode().name}': ${checked} checked${count}; ${cost} used. ${[...item.run.notices].join(' ')}`;
	context.logger.info(item.errorSource.redact(text.trimEnd()));
	const finish = () => {
		Object.assign(stored, { watch: watch.value, state: nextState });
		delete stored.returned;
		delete stored.jobs;
		jobsByTrigger.delete(id);
	};
	if (trigger.executions === 'one' || items.length === 0) {
		finish();
		return items.length === 0 && !isManual ? null : [items];
	}
	const portion = Math.ceil(items.length / mostWrites);
	for (let from = 0; from < items.length; from += portion) {
		const next = from + portion;
		for (const finding of found.slice(from, next)) returned.add(finding.id);
		if (next < items.length) stored.returned = returned.toString();
		else finish();
		for (const one of items.slice(from, next)) context.__emit([[one]]);
	}
	return null;
}

/** The checks in progress in this process, by trigger. */
const inProgress = new Set<string>();

/** Runs one poll. @throws NodeApiError or NodeOperationError, which n8n logs and passes to the error workflow */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const connection = await connect(context);
	const node = context.getNode();
	const errorSource: ErrorSource = { node, fields, redact: connection.redact };
	const id = `${context.getWorkflow().id} ${node.id} ${context.getMode()}`;
	try {
		const input = readCheckParameters(context, errorSource);
		const item = itemOf(context, errorSource, connection, input.settings);
		// A check that is longer than the interval would return the same as the next one.
		if (inProgress.has(id) && !input.isManual) return null;
		inProgress.add(id);
		return await check(context, id, input, item).finally(() => inProgress.delete(id));
	} catch (error) {
		throw asWebDataError(error, errorSource).render();
	}
}
