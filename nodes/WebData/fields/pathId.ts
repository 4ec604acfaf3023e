import { ValidationFailure, stringSchema } from '../../runtime/form/schema';

/**
 * Validates a segment of a path: neither `.` nor `..`, which no encoding removes, nor half of a
 * character, which cannot be encoded. `noun` names it in the error.
 */
export function pathStep(value: string, noun: string): string | ValidationFailure {
	if (/^\.+$/.test(value)) return new ValidationFailure(`must be ${noun}, not dots alone`);
	if (/[\uD800-\uDFFF]/u.test(value)) {
		return new ValidationFailure(`must be ${noun}, and holds half a character (a lone surrogate)`);
	}
	return value;
}

/** An ID of any form for a path. */
export const pathId = (max: number) =>
	stringSchema({ max, normalize: (value) => pathStep(value.trim(), 'an ID') });
