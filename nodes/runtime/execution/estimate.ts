import type { IDataObject } from 'n8n-workflow';
import { pathOf, type Request } from '../http/client';
import { fromJson } from '../values/json';
import type { OperationContext } from '../operation/operation';
import { free, sumOf } from '../limits/price';
import { isRecord } from '../values/record';

/** Runs an operation in a given context. */
type Work = (context: OperationContext) => Promise<void>;

/**
 * Collects the requests that an operation would send, up to its first one. Sends only requests for
 * prices.
 */
async function requestsOf(work: Work, context: OperationContext): Promise<Request[]> {
	return await new Promise((resolve, reject) => {
		const end = async (...requests: Request[]) => {
			resolve(requests);
			// Never settles: the operation stops here and is garbage-collected.
			return await new Promise<never>(() => undefined);
		};
		work({
			...context,
			plan: async (requests) => await end(...requests),
			send: async (request) => await (request.isPriceQuery ? context.send(request) : end(request)),
			sendStart: async (request) => await end(request),
			runJob: async (_job, request) => await end(request),
			startJob: async (_job, request) => await end(request),
			upload: async () => await end(),
			atExecutionEnd: () => () => undefined,
		}).then(() => resolve([]), reject);
	});
}

/** Masks the values of headers, which may hold credentials. */
const maskValues = (headers: unknown) =>
	Object.fromEntries(Object.keys(isRecord(headers) ? headers : {}).map((name) => [name, '***']));

const partsOf = (form: FormData) =>
	Object.fromEntries([...form].map(([name, part]) => [name, fromJson(part)]));

/**
 * Makes a part of a request fit for an item: redacts secrets and describes files by name and size.
 * A field `headers` of a JSON schema is no header.
 */
function toJson(value: unknown, redact: (text: string) => string, isSchema = false): unknown {
	if (typeof value === 'string') return redact(value);
	if (value instanceof File)
		return { fileName: value.name, mimeType: value.type, bytes: value.size };
	if (value instanceof FormData) return toJson(partsOf(value), redact);
	if (Array.isArray(value)) return value.map((entry) => toJson(entry, redact, isSchema));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [
				name,
				name === 'headers' && !isSchema
					? maskValues(value)
					: toJson(value, redact, isSchema || name === 'schema'),
			]),
	);
}

/** Lists the requests that an operation would send, their price range, and the reasons for it. */
export async function estimate(work: Work, context: OperationContext): Promise<IDataObject> {
	const requests = await requestsOf(work, context);
	const prices = requests.flatMap((request) => request.price ?? []);
	const { least, most, pdfsCostMore, xPagesCostMore, reasons } = sumOf(
		prices.length > 0 ? prices : [free],
	);
	const { redact } = context.errorSource;
	return {
		requests: requests.map(
			(request) =>
				toJson(
					{
						method: request.endpoint.method,
						path: `/v2${pathOf(request)}`,
						query: request.query,
						body: request.body,
					},
					redact,
				) as IDataObject,
		),
		minCredits: least,
		maxCredits: most,
		pdfsCostMore: pdfsCostMore === true,
		xPagesCostMore: xPagesCostMore === true,
		reasons,
	};
}
