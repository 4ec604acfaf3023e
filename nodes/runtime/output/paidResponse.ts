import { isUnset } from '../form/schema';
import { pluralize } from '../values/pluralize';
import { operationError, type ErrorSource } from '../api/errors';
import { fieldOf } from '../values/record';
import { creditsIn } from '../limits/budget';

/** What an answer says it cost, as a sentence. */
function charge(body: unknown): string {
	const credits = creditsIn(body);
	if (credits === undefined) {
		return 'It may have been charged; the answer does not say how many credits.';
	}
	return `${pluralize(credits, 'credit')} ${credits === 1 ? 'was' : 'were'} charged.`;
}

const named = (id: unknown) => (typeof id === 'string' ? [`The ID of the request is ${id}.`] : []);

/** The error for a paid answer that lacks what it must hold: it must not look like an answer that found nothing. */
export const missingInPaidResponse = (what: string, body: unknown, errorSource: ErrorSource) =>
	operationError(
		`The service answered without ${what}`,
		[
			charge(body),
			...named(fieldOf(body, 'id')),
			`Check 'Base URL' in the credential: the server may be of another version.`,
		].join(' '),
		errorSource,
	);

/** The list `name` that a paid answer must hold. @throws NodeOperationError that says what was charged */
export function requirePaidList(body: unknown, name: string, errorSource: ErrorSource): unknown[] {
	const list = fieldOf(body, name);
	if (Array.isArray(list)) return list;
	throw missingInPaidResponse(`a list of ${name}`, body, errorSource);
}

/** What a paid answer must hold as `name`. @throws NodeOperationError that says what was charged when there is nothing */
export function requirePaidField(
	body: unknown,
	name: string,
	what: string,
	errorSource: ErrorSource,
): unknown {
	const value = fieldOf(body, name);
	const isNothing = isUnset(value) || (Array.isArray(value) && value.length === 0);
	if (!isNothing) return value;
	throw missingInPaidResponse(what, body, errorSource);
}
