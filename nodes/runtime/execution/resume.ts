import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { respond } from '../webhooks/respond';
import { connect } from '../http/connection';
import { findOperation } from '../operation/describe';
import type { ErrorSource } from '../api/errors';
import { statusRequest } from '../jobs/poll';
import type { Resource } from '../operation/operation';
import { monotonicNow } from '../values/clock';
import { attempt, settle } from '../values/settle';
import { parseWebhook, type WebhookEvent } from '../webhooks/parseWebhook';
import { fieldOf } from '../values/record';
import { fixedPolicy } from '../api/retry';
import { send } from '../http/send';
import { waitStateOf } from '../jobs/waitState';
import { resumeWhenDone } from './resumeWhenDone';

/** The service expects an answer within 10 seconds (https://docs.firecrawl.dev/webhooks/events); polling the job must not take longer. */
const pollPolicy = fixedPolicy({ maxTries: 3, budget: 6000 }, 1000);

/** The job that a call says has ended; undefined for any other call. */
function endedJob({ type, id }: WebhookEvent, endEvents: string[]): string | undefined {
	return endEvents.includes(type.slice(type.lastIndexOf('.') + 1)) ? id : undefined;
}

/** Whether calls without a signature are refused; yes where the parameter cannot be read. */
function refusesUnsigned(context: IWebhookFunctions): boolean {
	const waiting = attempt(() => context.getNodeParameter('waiting', {}));
	return !waiting.ok || fieldOf(waiting.value, 'refuseUnsignedCalls') !== false;
}

async function handleCallback(
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> {
	const arrival = monotonicNow();
	const { redact, webhookSecret } = await connect(context);
	const result = parseWebhook(context.getRequestObject(), {
		secret: webhookSecret,
		refuseUnsigned: refusesUnsigned(context),
	});
	if ('status' in result) return respond(context, result.status);

	const parameter = (name: string) => context.getNodeParameter(name, null);
	const operation = findOperation(resources, parameter('resource'), parameter('operation'));
	const job = operation?.job;
	if (!operation || !job) return respond(context, 404);
	const id = endedJob(result.delivery, job.endEvents);
	const asleep = waitStateOf(context);
	// A signature tells the account, not the execution: a call about any other job is not for this one.
	if (id === undefined || !asleep?.jobs.some((each) => each.id === id)) {
		return respond(context, 200);
	}
	const errorSource: ErrorSource = {
		node: context.getNode(),
		itemIndex: 0,
		fields: operation.fields,
		redact,
		job: { id, noun: job.noun },
	};
	const pollJob = async (each: string) =>
		await send(statusRequest(job, each), { context, errorSource, policy: pollPolicy });
	const call = { id, isSigned: result.delivery.isVerified, arrival };
	return await resumeWhenDone(context, asleep, call, pollJob);
}

/**
 * Takes a call for an execution that sleeps: reads it (`readDelivery`), and has the node run once more with
 * the call for the last job (`wake`). A call that is refused leaves the execution asleep. So does a job that
 * cannot be read yet, and whatever goes wrong: the answer is 503, whereupon the service calls again. What
 * is thrown here, n8n would turn into an empty item that goes on.
 */
export async function resume(
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> {
	const taken = await settle(handleCallback(context, resources));
	if (taken.ok) return taken.value;
	context.logger.warn(
		`A call of an execution that '${context.getNode().name}' put to sleep was not taken: ${taken.error.message}`,
	);
	return respond(context, 503);
}
