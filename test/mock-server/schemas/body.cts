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

export const stamps = {
	origin: z.string().optional(),
	/** Names that the service knows are not published: those seen in the official clients. */
	integration: z.enum(['cli', 'n8n', 'mcp', 'zapier', 'make', 'dify', 'langchain']).optional(),
};

/** Notes what a rule between the members of a body finds wrong, and where. */
export const refuse = (
	check: z.RefinementCtx,
	message: string,
	...path: Array<string | number>
): void => check.addIssue({ code: 'custom', message, path });

export const whole = (min: number, max = Number.MAX_SAFE_INTEGER): z.ZodNumber =>
	z.number().int().min(min).max(max);

export const day = z.string().date('Expected YYYY-MM-DD');

/** The texts of a query string as a body's schema takes them. Lists: the key repeated, or joined with commas. */
function typed(schema: z.ZodTypeAny, given: unknown): unknown {
	if (schema instanceof z.ZodEffects) return typed(schema.innerType(), given);
	if (schema instanceof z.ZodOptional) return typed(schema.unwrap(), given);
	if (schema instanceof z.ZodDefault) return typed(schema.removeDefault(), given);
	if (schema instanceof z.ZodObject) {
		const fields = new Map<string, z.ZodTypeAny>(Object.entries(schema.shape));
		const read = ([name, text]: [string, unknown]) => [
			name,
			typed(fields.get(name) ?? z.any(), text),
		];
		return Object.fromEntries(Object.entries(Object(given)).map(read));
	}
	if (schema instanceof z.ZodArray) {
		return [given].flat().flatMap((text) =>
			String(text)
				.split(',')
				.map((each) => each.trim()),
		);
	}
	if (schema instanceof z.ZodNumber && /^-?\d+$/.test(String(given))) return Number(given);
	if (schema instanceof z.ZodBoolean && given === 'true') return true;
	return schema instanceof z.ZodBoolean && given === 'false' ? false : given;
}

export const parseQueryString = <T extends z.ZodTypeAny>(schema: T, query: unknown): z.output<T> =>
	parseBody(schema, typed(schema, query), 'Invalid query parameters');
