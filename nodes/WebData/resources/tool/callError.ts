import { adviceFor } from '../../../runtime/api/advice';
import { isRecord, fieldOf, type JsonRecord } from '../../../runtime/values/record';
import { quoted, type Advice } from '../../../runtime/api/sentence';

/** The error of one call, inside a response with status 200. */
export function errorOf(result: unknown): JsonRecord | undefined {
	const error = fieldOf(result, 'error');
	if (isRecord(error)) return error;
	return typeof error === 'string' && error !== '' ? { message: error } : undefined;
}

const textIn = (record: JsonRecord, name: string) => {
	const value = record[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
};

/** The message and advice of a call's error, with its code and the URL of terms to accept. */
export function messageOf(error: JsonRecord): { message: string; advice: Advice } {
	const code = textIn(error, 'code');
	const message = textIn(error, 'message') ?? 'The server returned no reason';
	const charge = textIn(error, 'chargeId');
	const terms = fieldOf(error.requiresAction, 'url');
	const status = typeof error.status === 'number' ? error.status : 200;
	return {
		message: `${message}${code === undefined ? '' : ` (${code})`}`,
		advice: [
			// For a call, 404 means an unknown tool, under any code of its provider.
			...adviceFor(status, status === 404 ? 'unknown_provider' : code, message),
			...(typeof terms === 'string' ? [quoted(`Terms: ${terms}`)] : []),
			...(charge === undefined ? [] : [quoted(`It was charged anyway (charge ${charge}).`)]),
		],
	};
}
