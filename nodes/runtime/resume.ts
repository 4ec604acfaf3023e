import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { callOn, complete, policyOf, type Errand } from './call';
import { connect } from './connection';
import { findOperation } from './describe';
import { asNodeError, inputError, type Place } from './errors';
import { pairedWith } from './items';
import { awaitedJob, lookAt } from './job';
import type { ItemRequest, Operation, Resource, Values } from './operation';
import { attempt, settle } from './outcome';
import { isFinished } from './poll';
import { isRecord } from './record';
import type { RetryPolicy } from './retry';
import { send, type Line } from './send';
import { settingsContract } from './settings';
import { Spending } from './spending';
import { isGenuine } from './signature';

/** The service expects an answer within 10 seconds (addendum 11); looking at the job must not take longer. */
const patience = { maxTries: 3, budget: 6000 };
const lookPolicy: RetryPolicy = {
	...patience,
	backOffCap: 1000,
	repeatUncertain: false,
	processing: patience,
};

/** Answers the call and leaves the execution asleep. */
function stayAsleep(context: IWebhookFunctions, status: number): IWebhookResponseData {
	context.getResponseObject().status(status).end();
	return { noWebhookResponse: true };
}

/** The job that a call says has ended; undefined for any other call. */
function endedJob(body: IDataObject, endEvents: string[]): string | undefined {
	const { type, id } = body;
	const event = typeof type === 'string' ? type.split('.').at(-1) : undefined;
	return event !== undefined && endEvents.includes(event) && typeof id === 'string'
		? id
		: undefined;
}

/** The parameters of one item: n8n resolves those of the first only, so expressions of the others are evaluated here. */
function valuesOf(context: IWebhookFunctions, { fields }: Operation, itemIndex: number): Values {
	const { parameters } = context.getNode();
	return Object.fromEntries(
		fields.map(({ name }) => {
			const stored = parameters[name];
			return typeof stored === 'string' && stored.startsWith('=')
				? [name, context.evaluateExpression(stored.slice(1), itemIndex)]
				: [name, context.getNodeParameter(name, null)];
		}),
	);
}

const errorItem = (
	error: NodeApiError | NodeOperationError,
	items: number[],
): INodeExecutionData => ({
	json: { error: error.message },
	error,
	pairedItem: pairedWith(items),
});

/** The requests that the job stands for, as they were when it was started, and the items that were refused then. */
function requestsOf(context: IWebhookFunctions, operation: Operation, place: Place) {
	const count = Number(context.evaluateExpression('{{ $input.all().length }}'));
	const requests: ItemRequest[] = [];
	const errors: INodeExecutionData[] = [];
	for (let itemIndex = 0; itemIndex < (operation.gather ? count : 1); itemIndex += 1) {
		const here = { ...place, itemIndex, job: undefined };
		const read = attempt(() =>
			operation.contract.safeParse(operation.read(valuesOf(context, operation, itemIndex))),
		);
		if ('error' in read) errors.push(errorItem(asNodeError(read.error, here), [itemIndex]));
		else if (read.value.success) requests.push({ itemIndex, body: read.value.data });
		else errors.push(errorItem(inputError(read.value.error.issues, here), [itemIndex]));
	}
	return { requests, errors };
}

/**
 * Takes up an execution that was put to sleep: checks the call's signature when the credential holds
 * a webhook secret, fetches the finished job and returns its items. A wrong call is answered 401 and a
 * job that cannot be read yet 503, whereupon the service calls again; the execution sleeps on. A job
 * that ended badly comes out as an error item.
 */
export async function resume(
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> {
	const parameter = (name: string) => context.getNodeParameter(name, null);
	const operation = findOperation(resources, parameter('resource'), parameter('operation'));
	const job = operation?.job;
	if (!operation || !job) return stayAsleep(context, 404);

	const { conceal, webhookSecret } = await connect(context);
	if (!isGenuine(context.getRequestObject(), webhookSecret)) return stayAsleep(context, 401);
	const body = context.getBodyData();
	const id = endedJob(isRecord(body) ? body : {}, job.endEvents);
	const awaited = context.customData.get(awaitedJob);
	if (id === undefined || (awaited && awaited !== id)) return stayAsleep(context, 200);

	const place: Place = {
		node: context.getNode(),
		itemIndex: 0,
		fields: operation.fields,
		conceal,
		job: { id, noun: job.noun },
	};
	const look = await settle(send(lookAt(job, id), { context, place, policy: lookPolicy }));
	if ('error' in look) return stayAsleep(context, 503);
	const answer = { ...(look.value.body as IDataObject), id };
	if (!isFinished(answer)) return stayAsleep(context, 503);

	// The service waits 10 seconds at most, and reading a large result takes longer.
	context.getResponseObject().status(200).end();
	const read = attempt(() => valuesOf(context, operation, 0));
	const values = 'value' in read ? read.value : {};
	const settings = settingsContract.parse(values.options ?? {});
	const line: Line = { context, place, policy: policyOf(settings) };
	const { requests, errors } = requestsOf(context, operation, place);
	const errand: Errand = { line, settings, requests, notices: new Set(), spending: new Spending() };
	const finished = await settle(
		job
			.finish(answer, values, callOn(errand))
			.then(async (results) => await complete(results, errand, context.helpers)),
	);
	// Thrown here, an error would send an empty item down the workflow; as an item, it takes the error output where there is one.
	const items =
		'value' in finished
			? finished.value
			: [
					errorItem(
						asNodeError(finished.error, place),
						requests.map(({ itemIndex }) => itemIndex),
					),
				];
	return { workflowData: [[...items, ...errors]], noWebhookResponse: true };
}
