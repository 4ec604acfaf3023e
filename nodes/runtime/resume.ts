import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { answerCall } from './answerCall';
import { callOn, complete, mostFetches, policyOf, type Errand } from './call';
import { todayOf } from './daySpending';
import { connect } from './connection';
import { findOperation } from './describe';
import { asNodeError, inputError, type Place } from './errors';
import { customDatum } from './host/customData';
import { pairedWith } from './items';
import { awaitedJob, lookAt } from './job';
import type { ItemRequest, Job, Operation, Resource, Values } from './operation';
import { attempt, settle } from './outcome';
import { isFinished } from './poll';
import { readDelivery, type Delivery } from './readDelivery';
import { memberOf } from './record';
import { asRecord } from './results';
import { usualLeave, type RetryPolicy } from './retry';
import { Places } from './places';
import { RunningJobs } from './runningJobs';
import { send, type Line } from './send';
import { settingsContract, settingsIn } from './settings';
import { Spending } from './spending';

/** The service expects an answer within 10 seconds (addendum 11); looking at the job must not take longer. */
const patience = { maxTries: 3, budget: 6000 };
const lookPolicy: RetryPolicy = {
	...patience,
	backOffCap: 1000,
	...usualLeave,
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
	return !('value' in waiting) || memberOf(waiting.value, 'refuseUnsignedCalls') !== false;
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
	const inputs = attempt(() => Number(context.evaluateExpression('{{ $input.all().length }}')));
	const count = 'value' in inputs ? inputs.value : 1;
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

/** The node's own settings; what is wrong with them must not lose a result that is paid for. */
function settingsOf(values: Values, place: Place) {
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
	{ place, inPrivateNetwork }: Pick<Line, 'place' | 'inPrivateNetwork'>,
): Promise<INodeExecutionData[]> {
	const read = attempt(() => valuesOf(context, operation, 0));
	const values = 'value' in read ? read.value : {};
	const { settings, errors: wrongSettings } = settingsOf(values, place);
	const line: Line = { context, inPrivateNetwork, place, policy: policyOf(settings) };
	const { requests, errors } = requestsOf(context, operation, place);
	const errand: Errand = {
		line,
		settings,
		requests,
		notices: new Set(),
		spending: new Spending(),
		today: () => todayOf(context),
		running: new RunningJobs(),
		fetches: new Places(mostFetches),
	};
	const finished = await settle(
		job
			.finish(answer, values, callOn(errand))
			.then(async (results) => await complete(results, errand, context.helpers)),
	);
	if ('value' in finished) return [...finished.value, ...wrongSettings, ...errors];
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

	const place: Place = {
		node: context.getNode(),
		itemIndex: 0,
		fields: operation.fields,
		conceal,
		job: { id, noun: job.noun },
	};
	if (underWay.has(id)) return answerCall(context, 503);
	underWay.add(id);
	const look = await settle(send(lookAt(job, id), { context, place, policy: lookPolicy }));
	underWay.delete(id);
	if ('error' in look) return answerCall(context, 503);
	const answer = { ...asRecord(look.value.body), id };
	if (!isFinished(answer)) return answerCall(context, 503);

	// The service waits 10 seconds at most, and reading a large result takes longer.
	const answered = answerCall(context, 200);
	const items = await settle(itemsOf(context, operation, job, answer, { place, inPrivateNetwork }));
	// As an item, an error takes the error output where there is one.
	const given = 'value' in items ? items.value : [errorItem(asNodeError(items.error, place), [0])];
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
	if ('value' in taken) return taken.value;
	context.logger.warn(
		`A call of an execution that '${context.getNode().name}' put to sleep was not taken: ${taken.error.message}`,
	);
	return answerCall(context, 503);
}
