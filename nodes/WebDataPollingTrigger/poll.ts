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
import { asRecord } from '../runtime/output/results';
import { settle } from '../runtime/values/outcome';
import { fieldsNamed, isRecord } from '../runtime/values/record';
import { SeenSet } from '../runtime/values/seenSet';
import { pluralize } from '../runtime/values/text';
import { documentFormat } from '../WebData/documents/document';
import { runKept } from './keptJob';
import { monitorWatch } from './monitorWatch';
import { pageWatch } from './pageWatch';
import { paperWatch, siteWatch, webSearchWatch } from './searchWatch';
import {
	triggerFields,
	triggerSchema,
	type Checked,
	type Finding,
	type TriggerSettings,
	type Watch,
} from './watch';

/** Everything that the trigger can poll. */
export const watches: Watch[] = [monitorWatch, pageWatch, paperWatch, webSearchWatch, siteWatch];

/** Fields of all watches and of the trigger. */
const fields = [...watches.flatMap((each) => each.fields), ...triggerFields];

/** Most writes of the stored state per check: a write takes time in proportion to its size. */
const mostWrites = 100;

/** Most findings of a check that are known to have been returned after a stop. */
const mostReturned = 50_000;

/** Milliseconds for the retries of a check if n8n sets no limit. */
const defaultRetryTime = 300_000;

/** Part of n8n's time for a poll that a job may take; the rest is for fetching its results. */
const shareOfJob = 0.8;

/** One poll of a trigger. */
interface Poll {
	context: IPollFunctions;
	watch: Watch;
	request: unknown;
	trigger: TriggerSettings;
	item: Item;
}

/** Reads and validates the parameters before anything is sent. */
function read(context: IPollFunctions, errorSource: ErrorSource) {
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
	const names = triggerFields.map(({ name }) => name);
	const trigger = triggerSchema.safeParse(fieldsNamed(values, ...names));
	if (!request.success || !settings.success || !trigger.success) {
		const issues = [request, settings, trigger].flatMap(({ error }) => error?.issues ?? []);
		throw inputError(issues, { ...errorSource, fields: [...watch.fields, ...triggerFields] });
	}
	return { watch, request: request.data, settings: settings.data, trigger: trigger.data };
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

const identityOf = (context: IPollFunctions): string =>
	`${context.getWorkflow().id} ${context.getNode().id} ${context.getMode()}`;

/** The jobs of checks that did not succeed, by trigger: of a poll by hand or at activation, n8n stores nothing. */
const jobsByTrigger = new Map<string, IDataObject>();

/**
 * Compares with the state of the last check. By hand, all that exists counts. The jobs that it starts
 * are in `stored` until everything found was returned.
 */
async function check(
	{ context, watch, request, trigger, item }: Poll,
	state: IDataObject | undefined,
	stored: IDataObject,
): Promise<Checked> {
	const isManual = context.getMode() === 'manual';
	const id = identityOf(context);
	const now = new Date();
	const jobs = asRecord(stored.jobs ?? jobsByTrigger.get(id) ?? {});
	stored.jobs = jobs;
	jobsByTrigger.set(id, jobs);
	return await watch.check(request, state, {
		...readContextOf(item),
		runKept: async (job, start, look) => {
			const requests = [{ itemIndex: 0, body: start.body }];
			const left = item.settings.maxWait - (Date.now() - now.getTime()) / 60_000;
			const settings = { ...item.settings, maxWait: Math.max(0, left) };
			return await runKept(job, start, jobs, { ...item, settings, requests }, look);
		},
		trigger: isManual ? { ...trigger, firstCheck: 'all' } : trigger,
		isManual,
		now,
	});
}

async function itemsOf(found: Finding[], { context, item }: Poll): Promise<INodeExecutionData[]> {
	const results = found.map(({ result }) => result);
	const items = await complete(results, item, context.helpers);
	return items.map(({ json, binary }) => ({ json, ...(binary && { binary }) }));
}

/**
 * Logs the outcome of a check with its cost and notices: n8n shows nothing of a check that finds
 * nothing, and no notices of triggers.
 */
function log(outcome: string, { context, item: { run, errorSource } }: Poll): void {
	const cost = pluralize(run.spending.spent, 'credit');
	const text = `'${context.getNode().name}': ${outcome}; ${cost} used. ${[...run.notices].join(' ')}`;
	context.logger.info(errorSource.redact(text.trimEnd()));
}

/** Returns what exists without storing it. */
async function sample(poll: Poll): Promise<INodeExecutionData[][]> {
	const { found, checked } = await check(poll, undefined, {});
	jobsByTrigger.delete(identityOf(poll.context));
	log(`${checked} checked`, poll);
	return [await itemsOf(found, poll)];
}

/**
 * Returns what is new. Stores it as it returns it, so that a failed check loses nothing: n8n saves
 * the state with each execution before it starts.
 */
async function newOnes(poll: Poll): Promise<INodeExecutionData[][] | null> {
	const { context, trigger, watch } = poll;
	const stored = context.getWorkflowStaticData('node');
	const isKnown = stored.watch === watch.value && isRecord(stored.state);
	const state = isKnown ? (stored.state as IDataObject) : undefined;
	const returned = new SeenSet(stored.returned, mostReturned);
	const outcome = await settle(check(poll, state, stored));
	if (!outcome.ok) {
		// n8n stores nothing of a check that throws, and the jobs that it has started are paid for.
		if (Object.keys(asRecord(stored.jobs)).length === 0) throw outcome.error;
		context.__emitError(asWebDataError(outcome.error, poll.item.errorSource).render());
		return null;
	}
	const { found: all, nextState, checked } = outcome.value;
	const found = all.filter(
		({ id, isExisting = false }) =>
			(!isExisting || trigger.firstCheck === 'all') && !returned.has(id),
	);
	const items = await itemsOf(found, poll);
	log(`${checked} checked, ${items.length === 0 ? 'nothing' : items.length} new`, poll);
	const finish = () => {
		Object.assign(stored, { watch: watch.value, state: nextState });
		delete stored.returned;
		delete stored.jobs;
		jobsByTrigger.delete(identityOf(context));
	};
	if (trigger.executions === 'one' || items.length === 0) {
		finish();
		return items.length === 0 ? null : [items];
	}
	const portion = Math.ceil(items.length / mostWrites);
	for (const [index, item] of items.entries()) {
		if (index % portion === 0) {
			for (const { id } of found.slice(index, index + portion)) returned.add(id);
			if (index + portion < items.length) stored.returned = returned.toString();
			else finish();
		}
		context.__emit([[item]]);
	}
	return null;
}

/** The checks in progress in this process, by workflow and node. */
const inProgress = new Set<string>();

/**
 * Runs one check. A manual one returns what exists and stores nothing.
 * @throws NodeApiError or NodeOperationError, which n8n logs and passes to the error workflow
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const connection = await connect(context);
	const { redact } = connection;
	const errorSource: ErrorSource = { node: context.getNode(), fields, redact };
	try {
		const { settings, ...input } = read(context, errorSource);
		const item = itemOf(context, errorSource, connection, settings);
		const one = { ...input, context, item };
		if (context.getMode() === 'manual') return await sample(one);
		const id = identityOf(context);
		// A check that is longer than the interval would return the same as the next one.
		if (inProgress.has(id)) return null;
		inProgress.add(id);
		return await newOnes(one).finally(() => inProgress.delete(id));
	} catch (error) {
		throw asWebDataError(error, errorSource).render();
	}
}
