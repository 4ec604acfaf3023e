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

/**
 * The service expects a response within 10 seconds (https://docs.firecrawl.dev/webhooks/events), so
 * polling must be shorter.
 */
const pollPolicy = fixedPolicy({ maxAttempts: 3, budget: 6000 }, 1000);

/** The ID of the job whose end an event reports; undefined for other events. */
function endedJob({ type, id }: WebhookEvent, endEvents: string[]): string | undefined {
	return endEvents.includes(type.slice(type.lastIndexOf('.') + 1)) ? id : undefined;
}

/** Whether unsigned webhook requests are rejected; also if the parameter cannot be read. */
function rejectsUnsigned(context: IWebhookFunctions): boolean {
	const waiting = attempt(() => context.getNodeParameter('waiting', {}));
	return !waiting.ok || fieldOf(waiting.value, 'requireSignature') !== false;
}

async function handleCallback(
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> {
	const arrival = monotonicNow();
	const { redact, webhookSecret } = await connect(context);
	const result = parseWebhook(context.getRequestObject(), {
		secret: webhookSecret,
		rejectUnsigned: rejectsUnsigned(context),
	});
	if ('status' in result) return respond(context, result.status);

	const parameter = (name: string) => context.getNodeParameter(name, null);
	const operation = findOperation(resources, parameter('resource'), parameter('operation'));
	const job = operation?.job;
	if (!operation || !job) return respond(context, 404);
	const id = endedJob(result.event, job.endEvents);
	const waitState = waitStateOf(context);
	// A signature proves the account, not the execution: ignore events of other jobs.
	if (id === undefined || !waitState?.jobs.some((each) => each.id === id)) {
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
	const event = { id, isSigned: result.event.isVerified, arrival };
	return await resumeWhenDone(context, waitState, event, pollJob);
}

/**
 * Handles a webhook request of a suspended execution. The event of its last job resumes the
 * execution; a rejected request leaves it suspended. Errors return 503, so that the service sends
 * the event again: n8n would turn a thrown error into an empty item and continue the workflow.
 */
export async function resume(
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> {
	const outcome = await settle(handleCallback(context, resources));
	if (outcome.ok) return outcome.value;
	context.logger.warn(
		`A webhook event for an execution that '${context.getNode().name}' suspended was rejected: ${outcome.error.message}`,
	);
	return respond(context, 503);
}
