import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Container } from '@n8n/di';
import * as n8nCore from 'n8n-core';
import type { PollContext, WorkflowExecute } from 'n8n-core';
import * as n8nWorkflow from 'n8n-workflow';
import type { IBinaryData, INode, IRunExecutionData, Workflow } from 'n8n-workflow';

/** What earlier versions of n8n's engine are called by, for `npm run test:versions`. */

type Begin = Parameters<WorkflowExecute['run']>[0];
type Running = ReturnType<WorkflowExecute['run']>;

/** Run data of an execution that begins. */
export function emptyRunData(): IRunExecutionData {
	const make: unknown = Reflect.get(n8nWorkflow, 'createRunExecutionData');
	if (make) return n8nWorkflow.createRunExecutionData();
	const empty: object = {
		startData: {},
		resultData: { runData: {} },
		executionData: {
			contextData: {},
			nodeExecutionStack: [],
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		},
	};
	return empty as IRunExecutionData;
}

/** Begins an execution; n8n-core took one argument after the other before 2.0. */
export function begin(execution: WorkflowExecute, given: Begin): Running {
	if (execution.run.length <= 1) return execution.run(given);
	const { workflow, startNode, destinationNode, pinData, triggerToStartFrom } = given;
	const each = [workflow, startNode, destinationNode, pinData, triggerToStartFrom];
	return Reflect.apply(execution.run, execution, each) as Running;
}

/** Does what evaluates expressions of a workflow; n8n has them evaluated in an isolate of their own from 2.20 on. */
export async function withExpressions<Value>(
	{ expression }: Workflow,
	work: () => Promise<Value>,
): Promise<Value> {
	if (!('acquireIsolate' in expression)) return await work();
	await expression.acquireIsolate();
	return await work().finally(async () => await expression.releaseIsolate());
}

/** Whether n8n gives each poll a copy of what is stored for its trigger, as 2.41 does; before, all have the workflow's own. */
export const stagesPolls = Object.hasOwn(n8nCore.PollContext.prototype, 'getWorkflowStaticData');

/** Polls a trigger and hands on what it gives; `first` when its workflow is published, which fails with it. */
export type Poll = (first?: boolean) => Promise<void>;

/** What n8n's schedule calls for a trigger, as long as `isActive`. */
export function pollOf(
	workflow: Workflow,
	node: INode,
	context: PollContext,
	isActive: () => boolean,
): Poll {
	if ('PollTriggerExecutor' in n8nCore) {
		const executor = Container.get(n8nCore.PollTriggerExecutor);
		return executor.create(workflow, node, context, isActive);
	}
	const { poll } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	if (!poll) throw new Error(`${node.type} does not poll`);
	return async (first = false) => {
		try {
			const found = await poll.call(context);
			if (found !== null) context.__emit(found);
		} catch (error) {
			if (first || !(error instanceof Error)) throw error;
			context.__emitError(error);
		}
	};
}

/** Keeps a file where n8n keeps those of an execution; the location was two IDs before 1.121. */
export async function storeFile(
	content: Buffer | Readable,
	about: IBinaryData,
): Promise<IBinaryData> {
	const service = Container.get(n8nCore.BinaryDataService);
	const [workflowId, executionId] = [randomUUID(), randomUUID()];
	if ('FileLocation' in n8nCore) {
		const location = n8nCore.FileLocation.ofExecution(workflowId, executionId);
		return await service.store(location, content, about);
	}
	const given = [workflowId, executionId, content, about];
	return (await Reflect.apply(service.store, service, given)) as IBinaryData;
}
