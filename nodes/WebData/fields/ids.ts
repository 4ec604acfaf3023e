import { ValidationFailure, preview, stringSchema } from '../../runtime/form/schema';
import { field, required } from '../../runtime/form/field';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An ID of the service, a UUID. */
export const uuid = () =>
	stringSchema({
		normalize: (value) => {
			const id = value.trim().toLowerCase();
			return pattern.test(id)
				? id
				: new ValidationFailure(
						`must be an ID such as 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b, not ${preview(value)}`,
					);
		},
	});

/** The ID of a record of the service. */
export const id = (about: { displayName: string; placeholder?: string; description: string }) =>
	field({ ...about, type: 'string', default: '' }, uuid());

/** An example of an ID. */
export const exampleId = 'e.g. 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

/** The job of an operation. */
export const jobId = (description: string, displayName = 'Job ID') =>
	required(id({ displayName, placeholder: exampleId, description }));

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
