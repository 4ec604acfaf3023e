import type { IDataObject } from 'n8n-workflow';
import type { Request } from '../../nodes/runtime/http/client';
import { noticesIn, type ApiResponse } from '../../nodes/runtime/errors/response';
import { readSettings, type Settings } from '../../nodes/runtime/form/settings';
import type {
	Job,
	Operation,
	Result,
	OperationContext,
	Values,
} from '../../nodes/runtime/operation';
import { asRecord } from '../../nodes/runtime/execution/results';
import { resources } from '../../nodes/WebData/resources';
import { sentFor, type SentRequest } from './requests.cjs';
import { accepted, errorSource } from './schemaAssertions.cjs';
import { serviceError } from '../../nodes/runtime/http/serviceError';
import type { Failure } from '../../nodes/runtime/errors/response';

/** What the runtime offers to an operation, with answers that the test gives and notes of what was asked. */
export interface RecordedCall extends OperationContext {
	readonly sent: SentRequest[];
	readonly notices: string[];
	/** The jobs that were started, each with its request. */
	readonly jobs: Array<[Job, SentRequest]>;
	/** What is to be sent when the execution has ended. */
	readonly atEnd: SentRequest[];
}

/** The settings among a node's parameters. */
export function settingsFor(parameters: Values): Settings {
	const { data, error } = readSettings(parameters);
	if (!data) throw error;
	return data;
}

/** A response that is a failure. */
export class FailedResponse {
	constructor(readonly failure: Failure) {}
}

/** A call that is answered with these bodies in turn. @throws when more is asked */
export function recordedCall(...bodies: unknown[]): RecordedCall {
	const sent: SentRequest[] = [];
	const notices: string[] = [];
	const jobs: Array<[Job, SentRequest]> = [];
	const send = async (request: Request): Promise<ApiResponse> => {
		const asked = sentFor(request);
		sent.push(asked);
		const body = bodies[sent.length - 1];
		if (body === undefined) throw new Error(`not expected: ${asked.method} ${asked.path}`);
		if (body instanceof Error) throw body;
		if (body instanceof FailedResponse) {
			const { failure } = body;
			const attempts = { failures: [failure], elapsed: 0, request };
			throw serviceError(failure, { ...attempts, retrySafety: 'free' }, errorSource());
		}
		notices.push(...noticesIn(body));
		return await Promise.resolve({ status: 200, headers: {}, body });
	};
	const atEnd: SentRequest[] = [];
	const settings = settingsFor({});
	return {
		atEnd,
		sent,
		notices,
		jobs,
		// n8n copies the node for each execution.
		errorSource: { ...errorSource(), node: { ...errorSource().node } },
		settings,
		requests: [{ itemIndex: 0, body: undefined }],
		isHosted: false,
		send,
		sendStart: send,
		notice: (text) => notices.push(text),
		remark: (text) => notices.push(text),
		recordCost: () => undefined,
		runJob: async (job, request) => {
			jobs.push([job, sentFor(request)]);
			return await Promise.resolve([]);
		},
		startJob: async (job, request) => {
			const { body } = await send(request);
			return [job.started({ ...asRecord(body) }, settings)];
		},
		fileOf: async ({ data, fileName = '', mimeType }) =>
			await Promise.resolve(new File([data], fileName, { type: mimeType })),
		binaryOf: async (content, fileName, mimeType) =>
			await Promise.resolve({ data: content.toString('base64'), fileName, mimeType }),
		atExecutionEnd: (request) => {
			const last = sentFor(request);
			atEnd.push(last);
			return () => atEnd.splice(atEnd.indexOf(last), 1);
		},
	};
}

/** An operation by the words of its resource and its own, such as "page: scrape". @throws if there is none */
export function operationNamed(name: string): Operation {
	const [resourceName, operationName] = name.split(': ');
	const found = resources
		.find(({ value }) => value === resourceName)
		?.operations.find(({ value }) => value === operationName);
	if (!found) throw new Error(`no operation ${name}`);
	return found;
}

/** What an operation accepts of the node's parameters. @throws when it refuses them */
export const requestOf = (operation: Operation, parameters: Values): unknown =>
	accepted(operation.schema, operation.read(parameters));

/** Runs an operation on the node's parameters: its first request, and its results. */
export async function perform(
	operation: Operation,
	parameters: Values,
	...bodies: IDataObject[]
): Promise<{ call: RecordedCall; results: Result[] }> {
	const call = { ...recordedCall(...bodies), settings: settingsFor(parameters) };
	const results = await operation.run(requestOf(operation, parameters), call);
	return { call, results };
}
