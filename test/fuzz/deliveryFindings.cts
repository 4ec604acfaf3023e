import type { INodeType, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Findings } from './findings.cjs';
import type { HostileCall } from './hostileCalls.cjs';
import { WorkMeter } from './workMeter.cjs';

/** What came of a call, from outside and from inside. */
export interface DeliveryOutcome {
	call: HostileCall;
	status: number;
	/** Missing where n8n did not hand the call to the node. */
	probed?: ProbedCall;
	/** Executions that it started or took up. */
	started: number;
	/** Requests to the service that it made. */
	requests: number;
	/** What the node keeps, as JSON, before and after. */
	stored: [before: string, after: string];
	/** Whether the credential holds a webhook secret. */
	hasSecret: boolean;
}

/** How a node may answer: done, senseless, not genuine, too large, without a body, not now. */
const answers = [200, 400, 401, 413, 415, 503];

/** How it may answer a call that is not genuine. */
const refusals = [400, 401, 413];

/** Most requests that a call can bring about: for more, the service would be asked on a stranger's behalf. */
export const mostRequests = 20;

/** Most characters of what the node keeps of 5,000 deliveries and its registration. */
const mostStored = 200_000;

/** Most work of a call that is not genuine: what n8n's own parts take, and one HMAC over the body. */
export const workUnread = (call: HostileCall): number => 20_000 + (call.raw?.length ?? 0);

/** Most work of a call that may be genuine. */
export const workRead = (call: HostileCall): number => 200_000 + 10 * (call.raw?.length ?? 0);

/** Whether the node may believe a call. */
export const isCredible = ({ call, hasSecret }: Pick<DeliveryOutcome, 'call' | 'hasSecret'>) =>
	!hasSecret || call.isSigned;

/** What is wrong with how a call was taken. */
export function deliveryFindings(outcome: DeliveryOutcome): Findings {
	const { status, probed, started, requests, stored } = outcome;
	const [before, after] = stored;
	const findings: Findings = [];
	if (!probed) {
		if (started > 0) findings.push('something was started though the node was not called');
		return findings;
	}
	if (probed.error !== undefined) findings.push(`thrown: ${String(probed.error)}`);
	if (!answers.includes(status)) findings.push(`answered ${status}`);
	if (requests > mostRequests) findings.push(`${requests} requests for one call`);
	if (started > 1) findings.push(`${started} executions for one call`);
	if (after.length > mostStored) findings.push(`${after.length} characters are kept`);
	findings.push(...probed.overrun);
	if (isCredible(outcome)) return findings;
	if (!refusals.includes(status)) findings.push(`not genuine, and answered ${status}`);
	if (started > 0) findings.push('not genuine, and something was started');
	if (requests > 0) findings.push(`not genuine, and ${requests} requests to the service`);
	if (before !== after) findings.push('not genuine, and something was kept of it');
	if (probed.reads > 0) findings.push('not genuine, and its body was read');
	if (probed.digests > 1) findings.push(`not genuine, and ${probed.digests} digests were made`);
	return findings;
}

/** A webhook of a node. */
type WebhookMethod = (this: IWebhookFunctions) => Promise<IWebhookResponseData>;

/** What a node did with a call. */
interface ProbedCall {
	/** How often it asked for the parsed body. */
	reads: number;
	/** HMACs and hashes made. */
	digests: number;
	error?: unknown;
	overrun: Findings;
}

/** Looks over a node's shoulder while it is called. */
export class WebhookProbe {
	/** The last call that n8n handed to the node; undefined when it handed on none since `expect`. */
	last?: ProbedCall;
	private readonly meter = new WorkMeter();
	private most = Infinity;
	private readonly before: WebhookMethod;

	constructor(private readonly type: INodeType) {
		const { webhook } = type;
		if (!webhook) throw new Error('The node has no webhook');
		this.before = webhook;
		const watch = this.watch.bind(this);
		type.webhook = async function () {
			return await watch(this, webhook);
		};
	}

	/** Forgets the last call; the next may do so much work. */
	expect(most: number): void {
		this.last = undefined;
		this.most = most;
	}

	/** Leaves the node as it was. */
	close(): void {
		this.type.webhook = this.before;
	}

	private async watch(
		context: IWebhookFunctions,
		method: WebhookMethod,
	): Promise<IWebhookResponseData> {
		const call: ProbedCall = { reads: 0, digests: 0, overrun: [] };
		const request = context.getRequestObject();
		const { body } = request;
		Object.defineProperty(request, 'body', {
			get: () => {
				call.reads += 1;
				return body;
			},
		});
		this.meter.start(() => this.most);
		try {
			return await method.call(context);
		} catch (error) {
			call.error = error;
			throw error;
		} finally {
			this.meter.stop();
			call.digests = this.meter.digests;
			call.overrun = this.meter.findings('a call');
			this.last = call;
		}
	}
}
