import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import {
	asNodeError,
	inputError,
	operationError,
	type ErrorSource,
} from '../runtime/errors/message';
import { triggerParameters } from '../runtime/execution/parameters';
import { settingsIn, settingsSchema, type Settings } from '../runtime/form/settings';
import { connect, type Connection } from '../runtime/http/connection';
import { complete, newRun, policyOf, readContextOf, type Item } from '../runtime/jobs/context';
import { collectJob, runJob, startJob } from '../runtime/jobs/job';
import { Spending } from '../runtime/jobs/budget';
import { fieldsNamed, isRecord } from '../runtime/values/record';
import { SeenSet } from '../runtime/values/seenSet';
import { pluralize } from '../runtime/values/text';
import { documentFormat } from '../WebData/documents/document';
import { properties } from './properties';
import {
	triggerFields,
	triggerSchema,
	type CheckContext,
	type Finding,
	type TriggerSettings,
	type Watch,
} from './watch';
import { watches } from './watches';

/** Most writes of the stored state per check: a write takes time in proportion to its size. */
const mostWrites = 100;

/** Most findings of a check that are known to have been returned after a stop. */
const mostReturned = 50_000;

/** Milliseconds for the retries of a check if n8n sets no limit. */
const defaultRetryTime = 300_000;

/** Part of n8n's time for a poll that a job may take; the rest is for fetching its results. */
const shareOfJob = 0.8;

/** The watch and the settings of the trigger. */
interface PollInput {
	watch: Watch;
	request: unknown;
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
			'Update the node, or choose something else to watch.',
			errorSource,
		);
	}
	const request = watch.schema.safeParse(watch.read(values));
	const settings = settingsSchema.safeParse(settingsIn(values));
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
	const policy = policyOf(settings, context.getMode());
	return {
		context,
		limiters: connection.limiters,
		inPrivateNetwork: connection.inPrivateNetwork,
		errorSource,
		policy: { ...policy, budget: Math.min(policy.budget, defaultRetryTime, time) },
		// n8n shows no hints of triggers.
		notice: (text) => context.logger.warn(errorSource.redact(text)),
		settings: {
			...settings,
			wait: 'poll',
			maxWait: Math.min(settings.maxWait, (time * shareOfJob) / 60_000),
		},
		requests: [],
		run: newRun(connection, documentFormat, new Spending()),
	};
}

/** The state that n8n's static data has of a watch; undefined before its first check. */
function stateOf({ value }: Watch, stored: IDataObject): IDataObject | undefined {
	const { watch, state } = stored;
	return watch === value && isRecord(state) ? (state as IDataObject) : undefined;
}

/** The jobs that checks have started and not read, by trigger. n8n stores nothing of a failed poll. */
const unreadJobs = new Map<string, { subject: string; id: string }>();

const unreadOf = (trigger: string): CheckContext['unread'] => ({
	idOf: (subject) => {
		const unread = unreadJobs.get(trigger);
		return unread?.subject === subject ? unread.id : undefined;
	},
	keep: (subject, id) => void unreadJobs.set(trigger, { subject, id }),
	drop: () => void unreadJobs.delete(trigger),
});

const identityOf = (context: IPollFunctions, isManual: boolean): string =>
	`${context.getWorkflow().id} ${context.getNode().id}${isManual ? ' by hand' : ''}`;

/** One poll, manual or scheduled. */
class Poll {
	constructor(
		private readonly context: IPollFunctions,
		private readonly input: PollInput,
		private readonly item: Item,
	) {}

	/** Returns what exists without storing it. */
	async sample(): Promise<INodeExecutionData[][]> {
		const { found, checked } = await this.check(undefined, true);
		this.log(`${checked} checked`);
		return [await this.itemsOf(found)];
	}

	/**
	 * Returns what is new. Stores it as it returns it, so that a failed check loses nothing: n8n
	 * saves the state with each execution before it starts.
	 */
	async run(): Promise<INodeExecutionData[][] | null> {
		const { trigger, watch } = this.input;
		const stored = this.context.getWorkflowStaticData('node');
		const returned = new SeenSet(stored.returned, mostReturned);
		const { found: all, nextState, checked } = await this.check(stateOf(watch, stored), false);
		const found = all.filter(
			({ id, isExisting = false }) =>
				(!isExisting || trigger.firstCheck === 'all') && !returned.has(id),
		);
		const items = await this.itemsOf(found);
		const finish = () => {
			Object.assign(stored, { watch: watch.value, state: nextState });
			delete stored.returned;
		};
		this.log(`${checked} checked, ${items.length === 0 ? 'nothing' : items.length} new`);
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
			this.context.__emit([[item]]);
		}
		return null;
	}

	private async check(state: IDataObject | undefined, isManual: boolean) {
		const { input, item } = this;
		return await input.watch.check(input.request, state, {
			...readContextOf(item),
			isHosted: item.run.isHosted,
			runJob: async (job, request) => await runJob(job, request, item),
			startJob: async (job, request) => await startJob(job, request, item),
			collectJob: async (job, id) => await collectJob(job, id, item),
			unread: unreadOf(identityOf(this.context, isManual)),
			trigger: isManual ? { ...input.trigger, firstCheck: 'all' } : input.trigger,
			isManual,
			now: new Date(),
		});
	}

	/**
	 * Logs the outcome of a check with its cost and notices: n8n shows nothing of a check that finds
	 * nothing, and no notices of triggers.
	 */
	private log(outcome: string): void {
		const { run, errorSource } = this.item;
		const cost = pluralize(run.spending.spent, 'credit');
		const text = `'${this.context.getNode().name}': ${outcome}; ${cost} used. ${[...run.notices].join(' ')}`;
		this.context.logger.info(errorSource.redact(text.trimEnd()));
	}

	private async itemsOf(found: Finding[]): Promise<INodeExecutionData[]> {
		const results = found.map(({ result }) => result);
		const items = await complete(results, this.item, this.context.helpers);
		return items.map(({ json, binary }) => ({ json, ...(binary && { binary }) }));
	}
}

/** The checks in progress in this process, by workflow and node. */
const inProgress = new Set<string>();

async function runAlone(context: IPollFunctions, poll: Poll) {
	const id = identityOf(context, false);
	// A check that is longer than the interval would return the same as the next one.
	if (inProgress.has(id)) return null;
	inProgress.add(id);
	return await poll.run().finally(() => inProgress.delete(id));
}

/**
 * Runs one check. A manual one returns what exists and stores nothing.
 * @throws NodeApiError or NodeOperationError, which n8n logs and passes to the error workflow
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const connection = await connect(context);
	const { redact } = connection;
	const errorSource: ErrorSource = { node: context.getNode(), fields: properties, redact };
	try {
		const input = read(context, errorSource);
		const item = itemOf(context, errorSource, connection, input.settings);
		const poll = new Poll(context, input, item);
		return context.getMode() === 'manual' ? await poll.sample() : await runAlone(context, poll);
	} catch (error) {
		throw asNodeError(error, errorSource);
	}
}
