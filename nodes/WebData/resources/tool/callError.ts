import { adviceFor } from '../../../runtime/api/advice';
import { isRecord, fieldOf, type JsonRecord } from '../../../runtime/values/record';

/** The error of one call: it sits inside an answer with status 200. */
export function errorOf(result: unknown): JsonRecord | undefined {
	const error = fieldOf(result, 'error');
	if (isRecord(error)) return error;
	return typeof error === 'string' && error !== '' ? { message: error } : undefined;
}

const textIn = (record: JsonRecord, name: string) => {
	const value = record[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
};

/** A call's error in words, with its code, and what to do. Terms are shown with their address. */
export function messageOf(error: JsonRecord): { message: string; advice: string } {
	const code = textIn(error, 'code');
	const message = textIn(error, 'message') ?? 'The server returned no reason';
	const charge = textIn(error, 'chargeId');
	const terms = fieldOf(error.requiresAction, 'url');
	const status = typeof error.status === 'number' ? error.status : 200;
	return {
		message: `${message}${code === undefined ? '' : ` (${code})`}`,
		advice: [
			// What a call does not find is a tool, whatever word its provider has for that.
			adviceFor(status, status === 404 ? 'unknown_provider' : code, message),
			...(typeof terms === 'string' ? [`Terms: ${terms}`] : []),
			...(charge === undefined ? [] : [`It was charged anyway (charge ${charge}).`]),
		].join(' '),
	};
}
