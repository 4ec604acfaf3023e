import { z } from 'zod';

import { badRequest } from '../errors.cjs';

/** Fields of a query string: every value arrives as text, or as a list of texts when repeated. */

/** A whole number in a range. */
export function whole(min: number, max: number): z.ZodType<number, z.ZodTypeDef, unknown> {
	return z
		.string()
		.regex(/^-?\d+$/, 'Expected a whole number')
		.transform(Number)
		.pipe(z.number().int().min(min).max(max));
}

/** `true` or `false`. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** A list: the key repeated, or one value joined with commas. */
export const list = z
	.union([z.string(), z.array(z.string())])
	.transform((given) =>
		[given]
			.flat()
			.flatMap((text) => text.split(','))
			.map((text) => text.trim()),
	)
	.pipe(z.array(z.string().min(1)).min(1));

/** A day of the calendar, YYYY-MM-DD. */
export const day = z
	.string()
	.regex(/^\d{4}-\d{2}-\d{2}$/, 'Expected YYYY-MM-DD')
	.refine((text) => {
		const time = Date.parse(`${text}T00:00:00Z`);
		return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
	}, 'No such day');

/** Reads a query string, or throws the 400 of this family. */
export function parseQueryString<T extends z.ZodTypeAny>(schema: T, query: unknown): z.output<T> {
	const result = schema.safeParse(query);
	if (result.success) return result.data;
	throw badRequest(result.error.issues, 'Invalid query parameters');
}
