import type { INodeType, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Findings } from './findings.cjs';
import { WorkMeter } from './workMeter.cjs';

/** A webhook of a node. */
export type WebhookMethod = (this: IWebhookFunctions) => Promise<IWebhookResponseData>;

/** What a node did with a call. */
export interface ProbedCall {
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

	/** `planted` puts a defect around the node's own method, for the tests that a defect is found. */
	constructor(
		private readonly type: INodeType,
		planted: (method: WebhookMethod) => WebhookMethod = (method) => method,
	) {
		const { webhook } = type;
		if (!webhook) throw new Error('The node has no webhook');
		this.before = webhook;
		const method = planted(webhook);
		const watch = this.watch.bind(this);
		type.webhook = async function () {
			return await watch(this, method);
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
