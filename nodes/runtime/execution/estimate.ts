import type { IDataObject } from 'n8n-workflow';
import { pathOf, type Request } from '../http/client';
import { fromJson } from '../values/json';
import type { RunCall } from '../operation/operation';
import { free, sumOf } from '../limits/price';
import { isRecord } from '../values/record';

/** Runs an operation with the functions that it is given. */
type Work = (call: RunCall) => Promise<void>;

/**
 * The requests that an operation would send. Nothing is sent: the operation stops at its first request.
 * Only requests that ask for prices go out.
 */
async function requestsOf(work: Work, call: RunCall): Promise<Request[]> {
	return await new Promise((resolve, reject) => {
		const end = async (...requests: Request[]) => {
			resolve(requests);
			// Never settles: the operation stops here and is garbage-collected.
			return await new Promise<never>(() => undefined);
		};
		work({
			...call,
			plan: async (requests) => await end(...requests),
			send: async (request) => await (request.asksPrice ? call.send(request) : end(request)),
			sendStart: async (request) => await end(request),
			runJob: async (_job, request) => await end(request),
			startJob: async (_job, request) => await end(request),
			upload: async () => await end(),
			atExecutionEnd: () => () => undefined,
		}).then(() => resolve([]), reject);
	});
}

/** The names of headers, whose values may sign in at a site. */
const hidden = (headers: unknown) =>
	Object.fromEntries(Object.keys(isRecord(headers) ? headers : {}).map((name) => [name, '***']));

const partsOf = (form: FormData) =>
	Object.fromEntries([...form].map(([name, part]) => [name, fromJson(part)]));

/** A part of a request as an item can hold it: without secrets, files by their name and size. A schema may have a member `headers`, too. */
function shown(value: unknown, redact: (text: string) => string, isSchema = false): unknown {
	if (typeof value === 'string') return redact(value);
	if (value instanceof File)
		return { fileName: value.name, mimeType: value.type, bytes: value.size };
	if (value instanceof FormData) return shown(partsOf(value), redact);
	if (Array.isArray(value)) return value.map((entry) => shown(entry, redact, isSchema));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, member]) => member !== undefined)
			.map(([name, member]) => [
				name,
				name === 'headers' && !isSchema
					? hidden(member)
					: shown(member, redact, isSchema || name === 'schema'),
			]),
	);
}

/** The requests that an operation would send, what they can cost, and why. */
export async function estimate(work: Work, call: RunCall): Promise<IDataObject> {
	const requests = await requestsOf(work, call);
	const prices = requests.flatMap((request) => request.price ?? []);
	const { least, most, pdfsCostMore, xPagesCostMore, reasons } = sumOf(
		prices.length > 0 ? prices : [free],
	);
	const { redact } = call.errorSource;
	return {
		requests: requests.map(
			(request) =>
				shown(
					{
						method: request.endpoint.method,
						path: `/v2${pathOf(request)}`,
						query: request.query,
						body: request.body,
					},
					redact,
				) as IDataObject,
		),
		leastCredits: least,
		mostCredits: most,
		pdfsCostMore: pdfsCostMore === true,
		xPagesCostMore: xPagesCostMore === true,
		reasons,
	};
}
