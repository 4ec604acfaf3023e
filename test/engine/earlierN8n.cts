import { WorkflowExecute } from 'n8n-core';
import * as n8nWorkflow from 'n8n-workflow';
import type { IRunExecutionData, Workflow } from 'n8n-workflow';

/**
 * What earlier versions of n8n's engine are called by, so that the same tests run in all of them
 * (`npm run test:versions`).
 */

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
