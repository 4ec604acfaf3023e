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
import type { RetryPolicy } from '../runtime/http/retry';
import { triggerParameters } from '../runtime/execution/parameters';
import { connect, type Connection } from '../runtime/http/connection';
import { readByOffset } from '../runtime/http/paging';
import { send, type RequestContext } from '../runtime/http/send';
import type { ReadContext, Values } from '../runtime/operation';
import { fieldOf, isRecord, fieldsNamed } from '../runtime/values/record';
import { fingerprint } from '../runtime/values/seenSet';
import { attempt, settle } from '../runtime/values/outcome';
import { monitorEndpoints } from '../WebData/resources/monitor';
import {
	eventParameters,
	newMonitor,
	readNewMonitor,
	serviceEvents,
	triggerFields,
	triggerSchema,
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
	const { redact, limiters, isHosted } = connection;
	const errorSource: ErrorSource = { node: context.getNode(), fields: triggerFields, redact };
	const requestContext: RequestContext = { context, limiters, isHosted, errorSource, policy };
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

/** A registration in n8n's static data. */
interface Registration {
	monitorId: string;
	/** Hash of the registered settings. */
	requestHash: string;
	/** Random secret in the webhook's metadata, which proves events of the monitor. */
	token?: string;
}

const isRegistration = (value: unknown): value is Registration =>
	isRecord(value) && typeof value.monitorId === 'string';

/** The token of the registration in n8n's static data; undefined without one. */
export function tokenOf({ registration }: IDataObject): string | undefined {
	const token = fieldOf(registration, 'token');
	return typeof token === 'string' ? token : undefined;
}

const requestHash = (request: IDataObject) => fingerprint(JSON.stringify(request), 22);

/** Why a monitor in the static data stays: it may be another trigger's, or of another account. */
const notOwn = 'it is no monitor of this trigger in this account';

/** A trigger during activation or deactivation. */
class Activation {
	private readonly token: string;

	private constructor(
		private readonly context: IHookFunctions,
		private readonly connection: TriggerConnection,
		private readonly values: Values,
	) {
		this.token = tokenOf(this.staticData) ?? randomBytes(24).toString('base64url');
	}

	/** Reads the trigger's parameters and connects it. */
	static async of(context: IHookFunctions): Promise<Activation> {
		const names = triggerFields.map(({ name }) => name);
		return new Activation(context, await open(context), triggerParameters(context, names));
	}

	private get webhookUrl(): string {
		return this.context.getNodeWebhookUrl('default') ?? '';
	}

	/** n8n's static data of the node. */
	private get staticData(): IDataObject {
		return this.context.getWorkflowStaticData('node');
	}

	/** The trigger's settings. @throws NodeOperationError that names the invalid field */
	private get settings() {
		const read = triggerSchema.safeParse(fieldsNamed(this.values, ...eventParameters));
		if (read.success) return read.data;
		throw inputError(read.error.issues, this.connection.errorSource);
	}

	/** The body of the new monitor. @throws NodeOperationError that names the invalid field */
	private get wanted(): IDataObject {
		const { context, values, connection, webhookUrl } = this;
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
		const { token } = this;
		const metadata = { registration: registrationLabel, trigger: triggerKey(context), token };
		return {
			...request.data,
			webhook: { url: webhookUrl, events: serviceEvents(events), metadata },
		};
	}

	private isOwnWebhook = ({ webhook }: IDataObject) =>
		fieldOf(webhook, 'url') === this.webhookUrl &&
		fieldOf(fieldOf(webhook, 'metadata'), 'registration') === registrationLabel;

	/** Whether the webhook URL is private, so that the service cannot reach it. */
	private get isUnreachable(): boolean {
		return isPrivateHost(this.webhookUrl) && !isPrivateHost(this.connection.baseUrl);
	}

	/** Whether a monitor with these settings calls this trigger; without one, each activation looks for a missing secret. */
	async isRegistered(): Promise<boolean> {
		const { registration } = this.staticData;
		if (this.settings.source !== 'newMonitor') return false;
		if (!isRegistration(registration)) return false;
		if (registration.requestHash !== requestHash(this.wanted)) return false;
		return (await this.ownMonitors()).some(({ id }) => id === registration.monitorId);
	}

	/**
	 * Creates the monitor of the settings, if they want one.
	 * @throws NodeOperationError if the service cannot reach this n8n or nothing can prove its events,
	 * NodeApiError for the errors of the service
	 */
	async activate(): Promise<void> {
		const { context, connection, staticData } = this;
		const { source, requireSignature } = this.settings;
		if (source === 'newMonitor') this.rejectUnreachable();
		else if (connection.webhookSecret === '') this.acceptUnsigned(requireSignature);
		if (source !== 'newMonitor') {
			// A failed deactivation has left it behind.
			if (isRegistration(staticData.registration)) await this.undo();
			return;
		}
		const { wanted } = this;
		const { registration: earlier } = staticData;
		const monitorId = await this.register(wanted);
		staticData.registration = { monitorId, requestHash: requestHash(wanted), token: this.token };
		if (isRegistration(earlier) && earlier.monitorId !== monitorId)
			await this.removeEarlier(earlier.monitorId);
		// While the editor listens for a test event, no scheduled check would come in time.
		if (context.getMode() === 'manual') {
			await connection.send({ endpoint: monitorEndpoints.run, ids: { id: monitorId } });
		}
	}

	/** Removes the monitor of this trigger at another URL. Copied static data names that of another trigger, which stays. */
	private async removeEarlier(id: string): Promise<void> {
		const isEarlier = (monitor: IDataObject) =>
			monitor.id === id &&
			hasOwnMetadata(fieldOf(monitor.webhook, 'metadata'), triggerKey(this.context));
		const removing = async () => {
			if (!(await this.monitors()).some(isEarlier)) throw new Error(notOwn);
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

	/** Removes the monitor that the activation created, or that a failed one may have left. */
	async undo(): Promise<void> {
		const { registration } = this.staticData;
		const wantsNone = () => !attempt(() => this.wanted).ok || this.settings.source !== 'newMonitor';
		// Nothing was left if the activation was rejected before any request.
		if (!isRegistration(registration) && (this.isUnreachable || wantsNone())) return;
		const own = await this.ownMonitors();
		for (const { id } of own) await this.remove(String(id));
		if (isRegistration(registration) && !own.some(({ id }) => id === registration.monitorId))
			this.warnOfLeft(registration.monitorId, notOwn);
		delete this.staticData.registration;
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

	private rejectUnreachable(): void {
		if (!this.isUnreachable) return;
		throw operationError(
			`The server cannot reach this n8n at ${this.webhookUrl}`,
			`Nothing was registered. Make n8n reachable from the internet and set its WEBHOOK_URL to the public URL, or let the Web Data Polling Trigger poll the checks of a monitor, which needs no webhook.`,
			this.connection.errorSource,
		);
	}

	/** Creates the monitor, or adopts that of an earlier, interrupted activation. Returns its ID. */
	private async register(wanted: IDataObject): Promise<string> {
		const there = await this.ownMonitors();
		if (there.length > 0) return await this.adopt(there, wanted);
		const made = await settle(this.create(wanted));
		if (made.ok) return made.value;
		// The response was lost, but the monitor may exist.
		const after = await settle(this.ownMonitors());
		if (after.ok && after.value.length > 0) return await this.adopt(after.value, wanted);
		throw made.error;
	}

	private async create(body: IDataObject): Promise<string> {
		const { body: response } = await this.connection.send({
			endpoint: monitorEndpoints.create,
			body,
		});
		const id = fieldOf(fieldOf(response, 'data'), 'id');
		if (typeof id === 'string') return id;
		throw missingInResponse('the monitor', this.connection.errorSource);
	}

	/** Changes a monitor to what is wanted, with the service's defaults, and removes the others. */
	private async adopt([{ id }, ...spare]: IDataObject[], wanted: IDataObject): Promise<string> {
		const monitorId = String(id);
		const defaults = { goal: null, notification: {}, retentionDays: 30 };
		const body = { ...defaults, ...wanted, status: 'active' };
		const request = { endpoint: monitorEndpoints.update, ids: { id: monitorId }, body };
		const response = await this.connection.send(request);
		if (fieldOf(fieldOf(response.body, 'data'), 'id') !== monitorId)
			throw missingInResponse('the monitor', this.connection.errorSource);
		for (const monitor of spare) await this.remove(String(monitor.id));
		return monitorId;
	}

	/** Lists the account's monitors. */
	private async monitors(): Promise<IDataObject[]> {
		const request = { endpoint: monitorEndpoints.list };
		const monitors = await readByOffset(request, Infinity, this.connection);
		return monitors.filter(({ status }) => status !== 'deleted');
	}

	/** Lists the monitors that this trigger created, independent of its static data. */
	private async ownMonitors(): Promise<IDataObject[]> {
		return (await this.monitors()).filter(this.isOwnWebhook);
	}

	/** Deletes a monitor, if it exists. */
	private async remove(id: string): Promise<void> {
		const request = { endpoint: monitorEndpoints.delete, ids: { id } };
		const sent = await settle(this.connection.send(request));
		if (sent.ok) return;
		if (statusOf(sent.error) !== 404) throw sent.error;
	}
}

/** Whether the trigger is registered with its current settings. */
export const isRegistered = async (context: IHookFunctions): Promise<boolean> =>
	await atEdge(Activation.of(context).then(async (trigger) => await trigger.isRegistered()));

/** Registers the trigger. @throws NodeOperationError or NodeApiError if it cannot be */
export async function activate(context: IHookFunctions): Promise<boolean> {
	await atEdge(Activation.of(context).then(async (trigger) => await trigger.activate()));
	return true;
}

/** Undoes the activation. */
export async function deactivate(context: IHookFunctions): Promise<boolean> {
	await atEdge(Activation.of(context).then(async (trigger) => await trigger.undo()));
	return true;
}
