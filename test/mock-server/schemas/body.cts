import { z } from 'zod';

import { badRequest } from '../errors.cjs';

/** A strict object: the service refuses keys that it does not know, at every level. */
export function strict<T extends z.ZodRawShape>(shape: T): z.ZodObject<T, 'strict'> {
	return z.object(shape).strict('Unrecognized key in body');
}

/** Reads a request body, or throws the 400 with one detail per fault. `error` is the 400's sentence. */
export function parseBody<T extends z.ZodTypeAny>(
	schema: T,
	body: unknown,
	error = 'Bad Request',
): z.output<T> {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	throw badRequest(result.error.issues, error);
}

/** The two keys that nearly every POST body takes. */
export const stamps = {
	origin: z.string().optional(),
	/**
	 * The service checks it against names that it knows; the list is not published, so this holds the
	 * ones seen in the official clients.
	 */
	integration: z.enum(['cli', 'n8n', 'mcp', 'zapier', 'make', 'dify', 'langchain']).optional(),
};
