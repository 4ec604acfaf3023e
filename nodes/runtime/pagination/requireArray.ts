import { missingInResponse, type ErrorSource } from '../api/errors';

/** A list that an answer must hold. @throws NodeOperationError where it holds none: an empty one would look whole */
export function requireArray(value: unknown, errorSource: ErrorSource): unknown[] {
	if (Array.isArray(value)) return value;
	throw missingInResponse('a list', errorSource);
}
