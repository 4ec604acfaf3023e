import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import {
	readContextOf,
	complete,
	mostFetches,
	policyOf,
	type ItemContext,
} from '../runtime/jobs/itemContext';
import { documentFormat } from '../WebData/documents/documentFormat';
import { connect, type Connection } from '../runtime/http/connection';
import { todayOf } from '../runtime/limits/dayBudget';
import { asNodeError, inputError, operationError, type ErrorSource } from '../runtime/api/errors';
import type { Result } from '../runtime/operation/operation';
import { isRecord, fieldsNamed, type JsonRecord } from '../runtime/values/record';
import { triggerParameters } from '../runtime/execution/parameters';
import { Removed } from '../runtime/text/removed';
import { Semaphore } from '../runtime/values/semaphore';
import { RunningJobs } from '../runtime/jobs/runningJobs';
import { ReusableStarts } from '../runtime/jobs/startedJobs';
import { settingsSchema, settingsIn, type Settings } from '../runtime/form/options';
import { Spending } from '../runtime/limits/budget';
import { Check, type NewResult } from './check';
import { properties } from './properties';
import { triggerSchema, triggerFields, type TriggerSettings } from './settings';
import { watches, type Watch } from './watches';

const day = 86_400_000;

/** Milliseconds for a check if n8n sets no limit. */
const defaultBudget = 300_000;

/** Most writes of the stored state per check: a write takes time in proportion to its size. */
const mostWrites = 100;

/** The search and the settings of the trigger. */
interface PollInput {
	watch: Watch;
	request: JsonRecord;
	settings: Settings;
	trigger: TriggerSettings;
}

/** Reads and validates the parameters before anything is sent. */
function read(context: IPollFunctions, errorSource: ErrorSource): PollInput {
	const values = triggerParameters(
		context,
		properties.map(({ name }) => name),
	);
	const watch = watches.find(({ value }) => value === values.watch);
	if (!watch) {
		throw operationError(
			`This version of the node does not support '${String(values.watch)}'`,
			'Update the node, or choose another kind of watch.',
			errorSource,
		);
	}
	const body = watch.operation.schema.safeParse(watch.operation.read(values));
	const settings = settingsSchema.safeParse(settingsIn(values));
	const trigger = triggerSchema.safeParse(
		fieldsNamed(values, 'firstCheck', 'newestCount', 'executions', 'triggerOptions'),
	);
	if (!body.success || !settings.success || !trigger.success) {
		const issues = [body, settings, trigger].flatMap(({ error }) => error?.issues ?? []);
		throw inputError(issues, {
			...errorSource,
			fields: [...watch.operation.fields, ...triggerFields],
		});
	}
	const request = isRecord(body.data) ? body.data : {};
	if (trigger.data.onlySinceLastCheck && watch.hasPeriod(request)) {
		throw operationError(
			`'Only Since Last Check' sets the period of the search`,
			'Remove the period from the search, or turn the option off.',
			errorSource,
		);
	}
	return { watch, request, settings: settings.data, trigger: trigger.data };
}

/** The parts of the connection that a poll needs. */
type Service = Pick<Connection, 'rateLimiters' | 'inPrivateNetwork' | 'isHosted' | 'account'>;

/** One poll of the search, manual or scheduled. */
class SearchPoll {
	private readonly itemContext: ItemContext;

	constructor(
		private readonly context: IPollFunctions,
		errorSource: ErrorSource,
		service: Service,
		private readonly input: PollInput,
	) {
		const { settings } = input;
		const policy = policyOf(settings);
		const budget = Math.min(policy.budget, context.getPollBudgetMs?.() ?? defaultBudget);
		this.itemContext = {
			requestContext: {
				context,
				rateLimiters: service.rateLimiters,
				inPrivateNetwork: service.inPrivateNetwork,
				errorSource,
				policy: { ...policy, budget },
				omitsUnknownFields: settings.onUnsupportedField === 'omit',
				// n8n shows no hints of triggers.
				notice: (text) => context.logger.warn(errorSource.redact(text)),
			},
			settings,
			requests: [],
			execution: {
				format: documentFormat,
				isHosted: service.isHosted,
				account: service.account,
				notices: new Set(),
				ownNotes: new Set(),
				removed: new Removed(),
				spending: new Spending(),
				today: () => todayOf(context),
				running: new RunningJobs(),
				started: () => new ReusableStarts(context),
				waitingJobs: [],
				fetches: new Semaphore(mostFetches),
			},
		};
	}

	/** Returns the current results without storing them. */
	async sample(): Promise<INodeExecutionData[][]> {
		const { request, trigger } = this.input;
		const results = await this.search(request);
		const all = new Check({}, '', { ...trigger, firstCheck: 'all' }).newResultsIn(results);
		return [await this.itemsOf(all)];
	}

	/**
	 * Returns the new results. Stores them as it emits them, so that a failed check loses nothing:
	 * n8n saves the state with each execution before it starts.
	 */
	async check(): Promise<INodeExecutionData[][] | null> {
		const { context } = this;
		const { watch, request, trigger } = this.input;
		const stored = context.getWorkflowStaticData('node');
		const subject = JSON.stringify([watch.value, watch.topic(request)]);
		const check = new Check(stored, subject, trigger);
		const { lastTime } = check;
		const isLimited = trigger.onlySinceLastCheck && lastTime !== undefined;
		const startedAt = new Date();
		const results = await this.search(
			isLimited ? watch.since(request, new Date(lastTime.getTime() - day)) : request,
		);
		const newResults = check.newResultsIn(results);
		const items = await this.itemsOf(newResults);
		const remember = (some: NewResult[]) => Object.assign(stored, check.record(some, startedAt));
		if (trigger.executions === 'one' || items.length === 0) {
			remember(newResults);
			return items.length === 0 ? null : [items];
		}
		const portion = Math.ceil(items.length / mostWrites);
		for (const [index, item] of items.entries()) {
			if (index % portion === 0) remember(newResults.slice(index, index + portion));
			context.__emit([[item]]);
		}
		return null;
	}

	private async search(request: JsonRecord): Promise<Result[]> {
		return await this.input.watch.operation.run(request, readContextOf(this.itemContext));
	}

	private async itemsOf(newResults: NewResult[]): Promise<INodeExecutionData[]> {
		const results = newResults.map(({ result }) => result);
		const items = await complete(results, this.itemContext, this.context.helpers);
		return items.map(({ json, binary }) => ({ json, ...(binary && { binary }) }));
	}
}

/** The checks in progress in this process, by workflow and node. */
const inProgress = new Set<string>();

async function checkAlone(context: IPollFunctions, searchPoll: SearchPoll) {
	const id = `${context.getWorkflow().id} ${context.getNode().id}`;
	// A check that is longer than the interval would return the same results as the next one.
	if (inProgress.has(id)) return null;
	inProgress.add(id);
	return await searchPoll.check().finally(() => inProgress.delete(id));
}

async function runPoll(context: IPollFunctions, errorSource: ErrorSource, service: Service) {
	const searchPoll = new SearchPoll(context, errorSource, service, read(context, errorSource));
	return context.getMode() === 'manual'
		? await searchPoll.sample()
		: await checkAlone(context, searchPoll);
}

/**
 * Runs one check. A manual one returns the current results and stores nothing.
 * @throws NodeApiError or NodeOperationError, which n8n logs and passes to the error workflow
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const service = await connect(context);
	const { redact } = service;
	const errorSource: ErrorSource = { node: context.getNode(), fields: properties, redact };
	return await runPoll(context, errorSource, service).catch(
		async (error: unknown) => await Promise.reject(asNodeError(error, errorSource)),
	);
}
