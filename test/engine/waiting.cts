import { timingSafeEqual } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { parse, stringify } from 'flatted';
import { WAITING_TOKEN_QUERY_PARAM, WebhookContext } from 'n8n-core';
import type {
	ExecutionStatus,
	IRunExecutionData,
	IWebhookData,
	IWebhookResponseData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type {
	Engine,
	EngineRun,
	Execution,
	NodeRunOptions,
	RunOptions,
	WorkflowFile,
} from './harness.cjs';
import { withExpressions } from './earlierN8n.cjs';
import type { CredentialsByType } from './runCredentials.cjs';
import { openWaitingEndpoint, type WaitingCall } from './waitingEndpoint.cjs';
import { RefusedCall, type Endpoint } from './webhookEndpoint.cjs';

/** What n8n's database holds of an execution. Plain JSON, so that another process can take it over. */
export interface StoredExecution {
	id: string;
	mode: WorkflowExecuteMode;
	status: ExecutionStatus;
	/** It came to its end without an error. */
	finished: boolean;
	/** ISO date-time. */
	waitTill?: string;
	workflow: WorkflowFile;
	/** The run data as n8n serialises it; missing until the execution first ends or waits. */
	data?: string;
}

/**
 * The part of the n8n server (2.41) that executions with a wait need: a store for what they were, the
 * endpoint `/webhook-waiting/<execution>` on loopback that takes them up again, and the wait's end by time.
 */
export class WaitingExecutions {
	private readonly stored = new Map<string, StoredExecution>();
	private readonly ends = new EventEmitter();
	private endpoint?: Endpoint;

	constructor(
		private readonly engine: Engine,
		private readonly credentials: CredentialsByType,
	) {}

	/** Begins to listen, at a free port unless one is given. */
	async open(port = 0): Promise<void> {
		this.endpoint = await openWaitingEndpoint(async (call) => await this.answer(call), port);
	}

	/** Nobody can call any more; what is stored stays. */
	async close(): Promise<void> {
		await this.endpoint?.close();
		this.endpoint = undefined;
	}

	get port(): number {
		return this.opened.port;
	}

	/** Where executions are called, without their id. */
	get url(): string {
		return `http://127.0.0.1:${this.port}/webhook-waiting`;
	}

	/** Starts a workflow, and keeps what it was when it ends or begins to wait. */
	start(options: Omit<RunOptions, 'credentials'>): Execution {
		const { credentials, url: webhookWaitingBaseUrl } = this;
		const { mode = 'manual' } = options;
		return this.track(this.engine.start({ ...options, credentials, webhookWaitingBaseUrl }), mode);
	}

	/** Starts one node behind another that hands over the items. */
	startNode(options: Omit<NodeRunOptions, 'credentials'>): Execution {
		const { credentials, url: webhookWaitingBaseUrl } = this;
		const { mode = 'manual' } = options;
		return this.track(
			this.engine.startNode({ ...options, credentials, webhookWaitingBaseUrl }),
			mode,
		);
	}

	/** What the database holds of an execution; throws when it knows none of that id. */
	get(id: string): StoredExecution {
		const found = this.stored.get(id);
		if (!found) throw new Error(`There is no execution ${id}`);
		return structuredClone(found);
	}

	/** Takes over an execution that another process stored. */
	adopt(execution: StoredExecution): void {
		this.stored.set(execution.id, structuredClone(execution));
	}

	/** Resolves when an execution under way, or taken up later, ends or waits again. */
	async ended(id: string): Promise<EngineRun> {
		const [run]: EngineRun[] = await once(this.ends, id);
		return run;
	}

	/** What happens when the wait is over by time: n8n goes on with what its stack holds. */
	async passDeadline(id: string): Promise<EngineRun> {
		const { mode, workflow, data } = this.waiting(id);
		return await this.goOn(id, mode, this.engine.workflow(workflow, {}), data).done;
	}

	/** The answer of n8n's endpoint to a call, after the token's check (`WaitingWebhooks.executeWebhook`). */
	private async answer(call: WaitingCall): Promise<IWebhookResponseData | 'answered'> {
		const { executionId: id, suffix, query, request, response } = call;
		const execution = this.stored.get(id);
		const state = execution?.data === undefined ? undefined : restored(execution.data);
		if (state?.resumeToken && !same(query.get(WAITING_TOKEN_QUERY_PARAM), state.resumeToken)) {
			response.status(401).json({ error: 'Invalid token' });
			return 'answered';
		}
		if (!execution) throw new RefusedCall(404, `The execution "${id}" does not exist.`);
		if (!state || execution.status === 'running') {
			throw new RefusedCall(409, `The execution "${id}" is running already.`);
		}
		if (state.resultData.error) {
			throw new RefusedCall(409, `The execution "${id}" has finished with error.`);
		}
		if (execution.finished)
			throw new RefusedCall(409, `The execution "${id} has finished already.`);

		const stack = state.executionData?.nodeExecutionStack ?? [];
		const { lastNodeExecuted = '', runData } = state.resultData;
		// Else the node would start its wait anew, and be shown to have run twice.
		stack[0].node.disabled = true;
		state.waitTill = undefined;
		runData[lastNodeExecuted].pop();

		const workflow = this.engine.workflow(execution.workflow, {});
		const node = workflow.getNode(lastNodeExecuted);
		if (!node) throw new RefusedCall(404, 'Could not find node to process webhook.');
		const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		const additionalData = this.engine.additionalData(this.credentials, {
			executionId: id,
			webhookWaitingBaseUrl: this.url,
			httpRequest: request,
			httpResponse: response,
		});
		const description = (type.description.webhooks ?? []).find(
			({ httpMethod, path, restartWebhook }) =>
				httpMethod === request.method && path === suffix && restartWebhook === true,
		);
		if (!description || !type.webhook) {
			throw new RefusedCall(
				404,
				`The workflow for execution "${id}" does not contain a waiting webhook with a matching path/method.`,
			);
		}
		const webhook: IWebhookData = {
			httpMethod: 'POST',
			node: node.name,
			path: suffix,
			webhookDescription: description,
			workflowId: workflow.id,
			workflowExecuteAdditionalData: additionalData,
		};
		const { mode } = execution;
		const context = new WebhookContext(workflow, node, additionalData, mode, webhook, [], state);
		const { webhook: take } = type;
		const given = await withExpressions(workflow, async () => await take.call(context)).then(
			(result) => ({ result }),
			(error: Error) => ({ error }),
		);

		if ('error' in given) {
			// n8n goes on with an empty item, and with nothing left of the run but the error.
			const { error } = given;
			const result = { ...error, message: error.message, stack: error.stack };
			stack[0].data.main = [[{ json: {} }]];
			Object.assign(state, {
				resultData: { runData: {}, lastNodeExecuted: node.name, error: result },
			});
			this.goOn(id, mode, workflow, state);
			throw new RefusedCall(500, 'Workflow Webhook Error: Workflow could not be started!');
		}
		const { workflowData, noWebhookResponse, webhookResponse } = given.result;
		if (workflowData !== undefined) {
			// The webhook may have changed the stack (`prepareExecutionData`).
			const [resumed] = stack;
			resumed.data.main = workflowData;
			resumed.metadata = { ...resumed.metadata, forwardAllOutputs: true };
			this.goOn(id, mode, workflow, state);
		}
		if (noWebhookResponse) return 'answered';
		const message = workflowData ? 'Workflow was started' : 'Webhook call received';
		return { webhookResponse: webhookResponse ?? { message } };
	}

	/** Takes an execution up again; throws when another call has done so meanwhile. */
	private goOn(
		id: string,
		mode: WorkflowExecuteMode,
		workflow: Workflow,
		data: IRunExecutionData,
	): Execution {
		this.waiting(id);
		const { credentials, url: webhookWaitingBaseUrl } = this;
		return this.track(
			this.engine.resume({ id, mode, workflow, data, credentials, webhookWaitingBaseUrl }),
			mode,
			this.get(id).workflow,
		);
	}

	private waiting(id: string): Omit<StoredExecution, 'data'> & { data: IRunExecutionData } {
		const execution = this.get(id);
		if (execution.status !== 'waiting' || execution.data === undefined) {
			throw new Error(`The execution ${id} does not wait: ${execution.status}`);
		}
		return { ...execution, data: restored(execution.data) };
	}

	private track(
		execution: Execution,
		mode: WorkflowExecuteMode,
		workflow = fileOf(execution.workflow),
	): Execution {
		const { id } = execution;
		const known = this.stored.get(id);
		this.stored.set(id, { ...known, id, mode, status: 'running', finished: false, workflow });
		const done = execution.done.then((run) => {
			this.stored.set(id, { id, mode, workflow, ...outcomeOf(run) });
			this.ends.emit(id, run);
			return run;
		});
		return { ...execution, done };
	}

	private get opened(): Endpoint {
		if (!this.endpoint) throw new Error('The endpoint is not open');
		return this.endpoint;
	}
}

/** What n8n stores at the end of a run. An error makes it a failed one, also when the last node passed. */
function outcomeOf({ data: run }: EngineRun): Omit<StoredExecution, 'id' | 'mode' | 'workflow'> {
	const { waitTill, data, finished = false, status } = run;
	const ended = data.resultData.error && status !== 'canceled' ? 'error' : status;
	return {
		status: waitTill ? 'waiting' : ended,
		finished,
		waitTill: waitTill?.toISOString(),
		data: stringify(data),
	};
}

const restored = (data: string) => parse<IRunExecutionData>(data);

function fileOf({ id, name, nodes, connectionsBySourceNode, settings }: Workflow): WorkflowFile {
	return structuredClone({
		id,
		name,
		nodes: Object.values(nodes),
		connections: connectionsBySourceNode,
		settings,
	});
}

function same(given: string | null, expected: string): boolean {
	const [one, other] = [Buffer.from(given ?? ''), Buffer.from(expected)];
	return one.length === other.length && timingSafeEqual(one, other);
}
