import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { callOn, complete, policyOf } from './call';
import { credentialType } from './client';
import { concealer } from './conceal';
import { findOperation } from './describe';
import { asNodeError, type Place } from './errors';
import { awaitedJob } from './job';
import type { Resource } from './operation';
import { attempt, settle } from './outcome';
import { isFinished } from './poll';
import { isRecord } from './record';
import type { Line } from './send';
import { settingsContract } from './settings';
import { isSigned } from './signature';

/** The service expects an answer within 10 seconds (addendum 11); looking at the job must not take longer. */
const lookPolicy = { maxTries: 3, backOffCap: 1000, budget: 6000, repeatUncertain: false };

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

	const { apiKey, webhookSecret } = await context.getCredentials(credentialType);
	const { rawBody, headers } = context.getRequestObject();
	const secret = typeof webhookSecret === 'string' ? webhookSecret.trim() : '';
	if (secret !== '' && !isSigned(rawBody, headers['x-firecrawl-signature'], secret)) {
		return stayAsleep(context, 401);
	}
	const body = context.getBodyData();
	const id = endedJob(isRecord(body) ? body : {}, job.endEvents);
	const awaited = context.customData.get(awaitedJob);
	if (id === undefined || (awaited && awaited !== id)) return stayAsleep(context, 200);

	const place: Place = {
		node: context.getNode(),
		itemIndex: 0,
		fields: operation.fields,
		conceal: concealer([apiKey, webhookSecret]),
		job: { id, noun: job.noun },
	};
	const read = attempt(() =>
		Object.fromEntries(operation.fields.map(({ name }) => [name, parameter(name)])),
	);
	const values = 'value' in read ? read.value : {};
	const settings = settingsContract.parse(values.options ?? {});
	const notices = new Set<string>();
	const lookLine: Line = { context, place, policy: lookPolicy };
	const look = await settle(
		callOn(lookLine, notices).send({ method: 'GET', path: job.path(id), cost: 'read' }),
	);
	if ('error' in look) return stayAsleep(context, 503);
	const answer = { ...(look.value.body as IDataObject), id };
	if (!isFinished(answer)) return stayAsleep(context, 503);

	const line: Line = { ...lookLine, policy: policyOf(settings) };
	const finished = await settle(
		job
			.finish(answer, values, callOn(line, notices))
			.then(async (results) => await complete(results, settings, context.helpers, line, notices)),
	);
	if ('value' in finished) return { workflowData: [finished.value] };
	// Thrown here, an error would send an empty item down the workflow; as an item, it takes the error output where there is one.
	const error = asNodeError(finished.error, place);
	return { workflowData: [[{ json: { error: error.message }, error, pairedItem: { item: 0 } }]] };
}
