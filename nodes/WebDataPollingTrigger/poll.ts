import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import {
	asNodeError,
	inputError,
	operationError,
	type ErrorSource,
} from '../runtime/errors/message';
import { triggerParameters } from '../runtime/execution/parameters';
import { settingsSchema, settingsIn, type Settings } from '../runtime/form/settings';
import { connect, type Connection } from '../runtime/http/connection';
import { complete } from '../runtime/jobs/context';
import { pluralize } from '../runtime/values/text';
import { fieldsNamed, isRecord } from '../runtime/values/record';
import { SeenSet } from '../runtime/values/seenSet';
import { settle } from '../runtime/values/settle';
import { jobContextOf, preparePoll, type PreparedPoll } from './preparedPoll';
import { properties } from './properties';
import { triggerSchema, triggerFields, type TriggerSettings } from './settings';
import type { Finding, Watch } from './watch';
import { watches } from './watches';

/** Most writes of the stored state per check: a write takes time in proportion to its size. */
const mostWrites = 100;

/** Most findings of a check that are known to have been returned after a stop. */
const mostReturned = 50_000;

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
	const trigger = triggerSchema.safeParse(
		fieldsNamed(values, 'firstCheck', 'newestCount', 'executions', 'triggerOptions'),
	);
	if (!request.success || !settings.success || !trigger.success) {
		const issues = [request, settings, trigger].flatMap(({ error }) => error?.issues ?? []);
		throw inputError(issues, {
			...errorSource,
			fields: [...watch.fields, ...triggerFields],
		});
	}
	return { watch, request: request.data, settings: settings.data, trigger: trigger.data };
}

/** The state that n8n's static data has of a watch; undefined before its first check. */
function stateOf({ value }: Watch, stored: IDataObject): IDataObject | undefined {
	const { watch, state } = stored;
	return watch === value && isRecord(state) ? (state as IDataObject) : undefined;
}

/** One poll, manual or scheduled. */
class Poll {
	constructor(
		private readonly context: IPollFunctions,
		private readonly input: PollInput,
		private readonly prepared: PreparedPoll,
	) {}

	/** Returns what exists without storing it. */
	async sample(): Promise<INodeExecutionData[][]> {
		const trigger: TriggerSettings = { ...this.input.trigger, firstCheck: 'all' };
		const { found, checked } = await this.check(undefined, trigger, true);
		this.log(`${checked} checked`);
		return [await this.itemsOf(found)];
	}

	/**
	 * Returns what is new. Stores it as it returns it, so that a failed check loses nothing: n8n
	 * saves the state with each execution before it starts.
	 */
	async run(): Promise<INodeExecutionData[][] | null> {
		const { input, context } = this;
		const { trigger, watch } = input;
		const stored = context.getWorkflowStaticData('node');
		const returned = new SeenSet(stored.returned, mostReturned);
		const outcome = await settle(this.findings(stateOf(watch, stored), returned));
		if (!outcome.ok) {
			this.countError(outcome.error, stored);
			return null;
		}
		const { found, items, nextState, checked } = outcome.value;
		const finish = () => {
			Object.assign(stored, { watch: watch.value, state: nextState });
			delete stored.returned;
			delete stored.errors;
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
			context.__emit([[item]]);
		}
		return null;
	}

	/** Checks what is watched; returns what starts the workflow and was not returned before a stop. */
	private async findings(state: IDataObject | undefined, returned: SeenSet) {
		const { trigger } = this.input;
		const { found: all, nextState, checked } = await this.check(state, trigger, false);
		const found = all.filter(
			({ id, isExisting = false }) =>
				(!isExisting || trigger.firstCheck === 'all') && returned.statusOf(id) === 'new',
		);
		return { found, items: await this.itemsOf(found), nextState, checked };
	}

	/**
	 * Counts a failed check, which stores nothing of what it watches.
	 * @throws the error after as many in a row as the user chose
	 */
	private countError(error: Error, stored: IDataObject): void {
		const before = typeof stored.errors === 'number' ? stored.errors : 0;
		if (before + 1 >= this.input.trigger.errorsInRow) throw error;
		stored.errors = before + 1;
		this.context.logger.warn(
			this.prepared.item.errorSource.redact(
				`'${this.context.getNode().name}': check failed (${before + 1} in a row): ${error.message}`,
			),
		);
	}

	private async check(state: IDataObject | undefined, trigger: TriggerSettings, isManual: boolean) {
		const { watch, request } = this.input;
		const context = jobContextOf(this.prepared.item);
		return await watch.check(request, state, { ...context, trigger, isManual, now: new Date() });
	}

	/**
	 * Logs the outcome of a check with its cost and notices: n8n shows nothing of a check that finds
	 * nothing, and no notices of triggers.
	 */
	private log(outcome: string): void {
		const { spending, item } = this.prepared;
		const cost = pluralize(spending.spent, 'credit');
		const notices = [...item.run.notices].join(' ');
		this.context.logger.info(
			item.errorSource.redact(
				`'${this.context.getNode().name}': ${outcome}; ${cost} used. ${notices}`.trimEnd(),
			),
		);
	}

	private async itemsOf(found: Finding[]): Promise<INodeExecutionData[]> {
		const results = found.map(({ result }) => result);
		const items = await complete(results, this.prepared.item, this.context.helpers);
		return items.map(({ json, binary }) => ({ json, ...(binary && { binary }) }));
	}
}

/** The checks in progress in this process, by workflow and node. */
const inProgress = new Set<string>();

async function runAlone(context: IPollFunctions, poll: Poll) {
	const id = `${context.getWorkflow().id} ${context.getNode().id}`;
	// A check that is longer than the interval would return the same as the next one.
	if (inProgress.has(id)) return null;
	inProgress.add(id);
	return await poll.run().finally(() => inProgress.delete(id));
}

async function runPoll(context: IPollFunctions, errorSource: ErrorSource, service: Connection) {
	const input = read(context, errorSource);
	const prepared = preparePoll(context, errorSource, service, input.settings);
	const poll = new Poll(context, input, prepared);
	return context.getMode() === 'manual' ? await poll.sample() : await runAlone(context, poll);
}

/**
 * Runs one check. A manual one returns what exists and stores nothing.
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
