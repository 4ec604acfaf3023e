import { randomBytes } from 'node:crypto';
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import {
	atEdge,
	type ErrorSource,
	inputError,
	missingInResponse,
	operationError,
	statusOf,
} from '../runtime/errors/webDataError';
import { isPrivateHost } from '../runtime/http/download';
import type { Request } from '../runtime/http/client';
import type { RetryPolicy } from '../runtime/http/retry';
import { triggerParameters } from '../runtime/execution/parameters';
import { connect, type Connection } from '../runtime/http/connection';
import { readByOffset } from '../runtime/http/paging';
import { send, type RequestContext } from '../runtime/http/send';
import type { ReadContext, Values } from '../runtime/operation';
import { fieldOf, isRecord, type JsonRecord } from '../runtime/values/record';
import { fingerprint } from '../runtime/values/seenSet';
import { attempt, settle } from '../runtime/values/outcome';
import { monitorEndpoints } from '../WebData/resources/monitor';
import {
	newMonitor,
	readNewMonitor,
	readSettings,
	serviceEvents,
	triggerFields,
	type TriggerSettings,
} from './settings';

/** Activation waits for these requests, so retries end early. Milliseconds. */
const policy: RetryPolicy = { maxAttempts: 6, budget: 60_000, backOffCap: 5_000 };

/** The trigger's connection to the service, with its credential. */
interface TriggerConnection extends Connection {
	errorSource: ErrorSource;
	send: ReadContext['send'];
}

/** Connects a trigger for activation, deactivation or a webhook request. */
export async function open(
	context: IHookFunctions | IWebhookFunctions,
	connecting: Promise<Connection> = connect(context),
): Promise<TriggerConnection> {
	const connection = await connecting;
	const { redact } = connection;
	const errorSource: ErrorSource = { node: context.getNode(), fields: triggerFields, redact };
	const requestContext: RequestContext = { ...connection, context, errorSource, policy };
	return {
		...connection,
		errorSource,
		send: async (request) => await send(request, requestContext),
	};
}

/** Label of webhooks that this node set, so that it never removes others. */
const registrationLabel = 'created by n8n';

/** Identifies the trigger: workflow, node, and whether the editor listens for a test event. */
export function triggerKey(context: IHookFunctions | IWebhookFunctions): string {
	const { id, webhookId } = context.getNode();
	const use = context.getMode() === 'manual' ? 'test' : 'production';
	return fingerprint(`${context.getWorkflow().id} ${webhookId ?? id} ${use}`, 22);
}

/** Whether a webhook's metadata is from this trigger; each event returns it, and is signed with it. */
export const hasOwnMetadata = (metadata: unknown, trigger: string): boolean =>
	fieldOf(metadata, 'trigger') === trigger &&
	fieldOf(metadata, 'registration') === registrationLabel;

/** The monitor of the trigger in n8n's static data, if it has one. */
const registeredIn = ({ registration }: IDataObject): JsonRecord & { monitorId?: string } => {
	const { monitorId, ...rest } = isRecord(registration) ? registration : {};
	return typeof monitorId === 'string' ? { ...rest, monitorId } : {};
};

/** The secret in the metadata of the registered monitor's webhook, which proves its events; undefined without one. */
export function tokenOf({ registration }: IDataObject): string | undefined {
	const token = fieldOf(registration, 'token');
	return typeof token === 'string' ? token : undefined;
}

const hashOf = (request: IDataObject) => fingerprint(JSON.stringify(request), 22);

/** Why a monitor in the static data stays: it may be another trigger's, or of another account. */
const notOwn = 'it is no monitor of this trigger in this account';

/** A trigger during activation or deactivation. */
class Activation {
	/** n8n's static data of the node. */
	private readonly staticData: IDataObject;
	private readonly webhookUrl: string;
	private readonly token: string;

	private constructor(
		private readonly context: IHookFunctions,
		private readonly connection: TriggerConnection,
		private readonly values: Values,
	) {
		this.staticData = context.getWorkflowStaticData('node');
		this.webhookUrl = context.getNodeWebhookUrl('default') ?? '';
		this.token = tokenOf(this.staticData) ?? randomBytes(24).toString('base64url');
	}

	/** Reads the trigger's parameters and connects it. */
	static async of(context: IHookFunctions): Promise<Activation> {
		const names = triggerFields.map(({ name }) => name);
		return new Activation(context, await open(context), triggerParameters(context, names));
	}

	private get settings(): TriggerSettings {
		return readSettings(this.values, this.connection.errorSource);
	}

	/** The body of the new monitor. @throws NodeOperationError that names the invalid field */
	private get wanted(): IDataObject {
		const { context, values, connection, token } = this;
		const name = `${context.getWorkflow().name ?? 'n8n'}: ${context.getNode().name}`.slice(0, 256);
		const request = newMonitor.safeParse(readNewMonitor(values, name));
		if (!request.success) throw inputError(request.error.issues, connection.errorSource);
		const { events = [], onlyMeaningful } = this.settings;
		const { goal, judgeEnabled } = request.data;
		// Without a judge, no change would ever start the workflow.
		if (onlyMeaningful && (goal === undefined || judgeEnabled === false)) {
			const path = ['onlyMeaningful'];
			const message = `requires a goal and 'Judge Changes'`;
			throw inputError([{ code: 'custom', path, message }], connection.errorSource);
		}
		const metadata = { registration: registrationLabel, trigger: triggerKey(context), token };
		const webhook = { url: this.webhookUrl, events: serviceEvents(events), metadata };
		return { ...request.data, webhook };
	}

	/** Whether the webhook URL is private, so that the service cannot reach it. */
	private get isUnreachable(): boolean {
		return isPrivateHost(this.webhookUrl) && !this.connection.inPrivateNetwork;
	}

	/** Whether a monitor with these settings calls this trigger; without one, each activation looks for a missing secret. */
	async isRegistered(): Promise<boolean> {
		const { monitorId, requestHash } = registeredIn(this.staticData);
		if (this.settings.source !== 'newMonitor' || monitorId === undefined) return false;
		if (requestHash !== hashOf(this.wanted)) return false;
		return (await this.ownMonitors()).some(({ id }) => id === monitorId);
	}

	/**
	 * Creates the monitor of the settings, if they want one.
	 * @throws NodeOperationError if the service cannot reach this n8n or nothing can prove its events,
	 * NodeApiError for the errors of the service
	 */
	async activate(): Promise<true> {
		const { context, connection, staticData } = this;
		const { source, requireSignature } = this.settings;
		const { monitorId: earlier } = registeredIn(staticData);
		if (source !== 'newMonitor') {
			if (connection.webhookSecret === '') this.acceptUnsigned(requireSignature);
			// A failed deactivation has left it behind.
			return earlier === undefined || (await this.undo());
		}
		if (this.isUnreachable) {
			throw operationError(
				`The server cannot reach this n8n at ${this.webhookUrl}`,
				`Nothing was registered. Make n8n reachable from the internet and set its WEBHOOK_URL to the public URL, or let the Web Data Polling Trigger poll the checks of a monitor, which needs no webhook.`,
				connection.errorSource,
			);
		}
		const { wanted, token } = this;
		const monitorId = await this.register(wanted);
		staticData.registration = { monitorId, requestHash: hashOf(wanted), token };
		if (earlier !== undefined && earlier !== monitorId) await this.removeEarlier(earlier);
		// While the editor listens for a test event, no scheduled check would come in time.
		if (context.getMode() === 'manual')
			await connection.send({ endpoint: monitorEndpoints.run, ids: { id: monitorId } });
		return true;
	}

	/** Removes the monitor that the activation created, or that a failed one may have left. */
	async undo(): Promise<true> {
		const { monitorId } = registeredIn(this.staticData);
		const wantsNone = () => !attempt(() => this.wanted).ok || this.settings.source !== 'newMonitor';
		// Nothing was left if the activation was rejected before any request.
		if (monitorId === undefined && (this.isUnreachable || wantsNone())) return true;
		const own = await this.ownMonitors();
		for (const { id } of own) await this.remove(id);
		if (monitorId !== undefined && !own.some(({ id }) => id === monitorId))
			this.warnOfLeft(monitorId, notOwn);
		delete this.staticData.registration;
		return true;
	}

	/** Warns that events need no signature. @throws NodeOperationError if the user requires one */
	private acceptUnsigned(requireSignature: boolean): void {
		const { context, connection } = this;
		if (requireSignature) {
			throw operationError(
				`'Require Signature' needs a 'Webhook Secret' in the credential`,
				`Copy it from the Firecrawl dashboard, or from the configuration of your own server. To accept events of anyone who knows this node's URL, turn 'Require Signature' off.`,
				connection.errorSource,
			);
		}
		context.logger.warn(
			`The credential of '${context.getNode().name}' in workflow ${context.getWorkflow().id} has no 'Webhook Secret': anyone who knows the trigger's URL can start the workflow with forged data`,
		);
	}

	/** Removes the monitor of this trigger at another URL. Copied static data names that of another trigger, which stays. */
	private async removeEarlier(id: string): Promise<void> {
		const trigger = triggerKey(this.context);
		const removing = async () => {
			const monitor = (await this.monitors()).find((each) => each.id === id);
			if (!hasOwnMetadata(fieldOf(monitor?.webhook, 'metadata'), trigger)) throw new Error(notOwn);
			await this.remove(id);
		};
		const removed = await settle(removing());
		if (!removed.ok) this.warnOfLeft(id, removed.error.message);
	}

	/** Names a monitor in n8n's log that may go on: nothing else knows its ID any more. */
	private warnOfLeft(id: string, reason: string): void {
		const { context, connection } = this;
		const text = `The earlier monitor ${id} of '${context.getNode().name}' was not deleted (${reason}). If it exists, it goes on and is charged`;
		context.logger.warn(connection.redact(text));
	}

	/** Creates the monitor, or changes that of an earlier, interrupted activation. Returns its ID. */
	private async register(wanted: IDataObject): Promise<string> {
		const there = await this.ownMonitors();
		if (there.length > 0) return await this.adopt(there, wanted);
		const request = { endpoint: monitorEndpoints.create, body: wanted };
		const made = await settle(this.monitorOf(request));
		if (made.ok) return made.value;
		// The response was lost, but the monitor may exist.
		const after = await settle(this.ownMonitors());
		if (after.ok && after.value.length > 0) return await this.adopt(after.value, wanted);
		throw made.error;
	}

	/** Changes a monitor to what is wanted, with the service's defaults, and removes the others. */
	private async adopt([{ id }, ...spare]: IDataObject[], wanted: IDataObject): Promise<string> {
		const defaults = { goal: null, notification: {}, retentionDays: 30 };
		const body = { ...defaults, ...wanted, status: 'active' };
		const request = { endpoint: monitorEndpoints.update, ids: { id: String(id) }, body };
		const monitorId = await this.monitorOf(request, id);
		for (const monitor of spare) await this.remove(monitor.id);
		return monitorId;
	}

	/** The ID of the monitor in the response to a request. @throws WebDataError without one, or if it is not `expected` */
	private async monitorOf(request: Request, expected?: unknown): Promise<string> {
		const id = fieldOf(fieldOf((await this.connection.send(request)).body, 'data'), 'id');
		if (typeof id === 'string' && id === (expected ?? id)) return id;
		throw missingInResponse('the monitor', this.connection.errorSource);
	}

	/** Lists the account's monitors. */
	private async monitors(): Promise<IDataObject[]> {
		const request = { endpoint: monitorEndpoints.list };
		const monitors = await readByOffset(request, Infinity, this.connection);
		return monitors.filter(({ status }) => status !== 'deleted');
	}

	/** Lists the monitors that this trigger created, independent of its static data. */
	private async ownMonitors(): Promise<IDataObject[]> {
		return (await this.monitors()).filter(
			({ webhook }) =>
				fieldOf(webhook, 'url') === this.webhookUrl &&
				fieldOf(fieldOf(webhook, 'metadata'), 'registration') === registrationLabel,
		);
	}

	/** Deletes a monitor, if it exists. */
	private async remove(id: unknown): Promise<void> {
		const request = { endpoint: monitorEndpoints.delete, ids: { id: String(id) } };
		const sent = await settle(this.connection.send(request));
		if (!sent.ok && statusOf(sent.error) !== 404) throw sent.error;
	}
}

/** Whether the trigger is registered with its current settings. */
export const isRegistered = async (context: IHookFunctions): Promise<boolean> =>
	await atEdge(Activation.of(context).then(async (trigger) => await trigger.isRegistered()));

/** Registers the trigger. @throws NodeOperationError or NodeApiError if it cannot be */
export const activate = async (context: IHookFunctions): Promise<boolean> =>
	await atEdge(Activation.of(context).then(async (trigger) => await trigger.activate()));

/** Undoes the activation. */
export const deactivate = async (context: IHookFunctions): Promise<boolean> =>
	await atEdge(Activation.of(context).then(async (trigger) => await trigger.undo()));
