import { ValidationFailure, stringSchema } from '../../runtime/form/schema';

/**
 * A part of a path: not the path's own words for "here" and "above", which no encoding takes away, and no
 * half of a character, which none can write. `noun` is what the refusal calls it.
 */
export function pathStep(value: string, noun: string): string | ValidationFailure {
	if (/^\.+$/.test(value)) return new ValidationFailure(`must be ${noun}, not dots alone`);
	if (/[\uD800-\uDFFF]/u.test(value)) {
		return new ValidationFailure(`must be ${noun}, and holds half a character (a lone surrogate)`);
	}
	return value;
}

/** An ID of any form, which goes into a path. */
export const pathId = (max: number) =>
	stringSchema({ max, normalize: (value) => pathStep(value.trim(), 'an ID') });
