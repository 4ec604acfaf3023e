import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { answerCall } from '../http/answerCall';
import { callOn, complete, mostFetches, policyOf, type ItemContext } from '../jobs/itemContext';
import { todayOf } from '../budget/dayBudget';
import { connect } from '../http/connection';
import { findOperation } from '../operation/describe';
import { asNodeError, inputError, type ErrorContext } from '../errors/errors';
import { customDatum } from '../host/customData';
import { pairedWith } from '../output/items';
import { awaitedJob, statusRequest } from '../jobs/job';
import type { ItemRequest, Job, Operation, Resource, Values } from '../operation/operation';
import { attempt, settle } from '../values/settle';
import { isFinished } from '../jobs/poll';
import { readDelivery, type Delivery } from '../jobs/readDelivery';
import { memberOf } from '../values/record';
import { asRecord } from '../output/results';
import { defaultLeave, type RetryPolicy } from '../retry/retry';
import { Semaphore } from '../values/semaphore';
import { RunningJobs } from '../jobs/runningJobs';
import { send, type RequestContext } from '../http/send';
import { settingsContract, settingsIn } from '../form/options';
import { Spending } from '../budget/budget';

/** The service expects an answer within 10 seconds (https://docs.firecrawl.dev/webhooks/events); looking at the job must not take longer. */
const patience = { maxTries: 3, budget: 6000 };
const lookPolicy: RetryPolicy = {
	...patience,
	backOffCap: 1000,
	...defaultLeave,
	processing: patience,
};

/** The jobs that are being looked at: however many calls come at once, the service is asked once. */
const underWay = new Set<string>();

/** The job that a call says has ended; undefined for any other call. */
function endedJob({ type, id }: Delivery, endEvents: string[]): string | undefined {
	return endEvents.includes(type.slice(type.lastIndexOf('.') + 1)) ? id : undefined;
}

/** Whether calls without a signature are refused; what cannot be read is taken for yes. */
function refusesUnsigned(context: IWebhookFunctions): boolean {
	const waiting = attempt(() => context.getNodeParameter('waiting', {}));
	return !waiting.ok || memberOf(waiting.value, 'refuseUnsignedCalls') !== false;
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
function requestsOf(context: IWebhookFunctions, operation: Operation, place: ErrorContext) {
	const inputs = attempt(() => Number(context.evaluateExpression('{{ $input.all().length }}')));
	const count = inputs.ok ? inputs.value : 1;
	const requests: ItemRequest[] = [];
	const errors: INodeExecutionData[] = [];
	for (let itemIndex = 0; itemIndex < (operation.gather ? count : 1); itemIndex += 1) {
		const here = { ...place, itemIndex, job: undefined };
		const read = attempt(() =>
			operation.contract.safeParse(operation.read(valuesOf(context, operation, itemIndex))),
		);
		if (!read.ok) errors.push(errorItem(asNodeError(read.error, here), [itemIndex]));
		else if (read.value.success) requests.push({ itemIndex, body: read.value.data });
		else errors.push(errorItem(inputError(read.value.error.issues, here), [itemIndex]));
	}
	return { requests, errors };
}

/** The node's own settings; what is wrong with them must not lose a result that is paid for. */
function settingsOf(values: Values, place: ErrorContext) {
	const read = settingsContract.safeParse(settingsIn(values));
	if (read.success) return { settings: read.data, errors: [] };
	const error = errorItem(inputError(read.error.issues, { ...place, job: undefined }), [0]);
	return { settings: settingsContract.parse({}), errors: [error] };
}

/** The items of a finished job. */
async function itemsOf(
	context: IWebhookFunctions,
	operation: Operation,
	job: Job,
	answer: IDataObject,
	{ place, inPrivateNetwork }: Pick<RequestContext, 'place' | 'inPrivateNetwork'>,
): Promise<INodeExecutionData[]> {
	const read = attempt(() => valuesOf(context, operation, 0));
	const values = read.ok ? read.value : {};
	const { settings, errors: wrongSettings } = settingsOf(values, place);
	const line: RequestContext = { context, inPrivateNetwork, place, policy: policyOf(settings) };
	const { requests, errors } = requestsOf(context, operation, place);
	const itemContext: ItemContext = {
		line,
		settings,
		requests,
		notices: new Set(),
		spending: new Spending(),
		today: () => todayOf(context),
		running: new RunningJobs(),
		fetches: new Semaphore(mostFetches),
	};
	const finished = await settle(
		job
			.finish(answer, values, callOn(itemContext))
			.then(async (results) => await complete(results, itemContext, context.helpers)),
	);
	if (finished.ok) return [...finished.value, ...wrongSettings, ...errors];
	const from = requests.map(({ itemIndex }) => itemIndex);
	return [errorItem(asNodeError(finished.error, place), from), ...wrongSettings, ...errors];
}

async function takeUp(
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> {
	const { conceal, inPrivateNetwork, webhookSecret } = await connect(context);
	const verdict = readDelivery(context.getRequestObject(), {
		secret: webhookSecret,
		refuseUnsigned: refusesUnsigned(context),
	});
	if ('status' in verdict) return answerCall(context, verdict.status);

	const parameter = (name: string) => context.getNodeParameter(name, null);
	const operation = findOperation(resources, parameter('resource'), parameter('operation'));
	const job = operation?.job;
	if (!operation || !job) return answerCall(context, 404);
	const id = endedJob(verdict.delivery, job.endEvents);
	// A signature tells the account, not the execution: a call about any other job is not for this one.
	if (id === undefined || id !== customDatum(context, awaitedJob)) return answerCall(context, 200);

	const place: ErrorContext = {
		node: context.getNode(),
		itemIndex: 0,
		fields: operation.fields,
		conceal,
		job: { id, noun: job.noun },
	};
	if (underWay.has(id)) return answerCall(context, 503);
	underWay.add(id);
	const look = await settle(send(statusRequest(job, id), { context, place, policy: lookPolicy }));
	underWay.delete(id);
	if (!look.ok) return answerCall(context, 503);
	const answer = { ...asRecord(look.value.body), id };
	if (!isFinished(answer)) return answerCall(context, 503);

	// The service waits 10 seconds at most, and reading a large result takes longer.
	const answered = answerCall(context, 200);
	const items = await settle(itemsOf(context, operation, job, answer, { place, inPrivateNetwork }));
	// As an item, an error takes the error output where there is one.
	const given = items.ok ? items.value : [errorItem(asNodeError(items.error, place), [0])];
	return { ...answered, workflowData: [given] };
}

/**
 * Takes up an execution that was put to sleep: reads the call (`readDelivery`), fetches the finished job
 * that it waits for and returns its items; a job that ended badly comes out as an error item. A call that
 * is refused leaves it asleep. So does a job that cannot be read yet, and whatever goes wrong before it
 * is: the answer is 503, whereupon the service calls again. What is thrown here, n8n would turn into an
 * empty item that goes on.
 */
export async function resume(
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> {
	const taken = await settle(takeUp(context, resources));
	if (taken.ok) return taken.value;
	context.logger.warn(
		`A call of an execution that '${context.getNode().name}' put to sleep was not taken: ${taken.error.message}`,
	);
	return answerCall(context, 503);
}
