import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';
import { handOn, isEmptyJson, jsonObject, prepared } from '../../runtime/contract';
import { isRecord, memberOf } from '../../runtime/record';

/**
 * The request in the API's own shape. n8n resolves no expression on a whole collection, so this is how
 * an earlier node or an AI model gives formats, actions or sources as the API has them.
 */
export const requestJsonField: INodeProperties = {
	displayName: 'Request (JSON)',
	name: 'requestJson',
	type: 'json',
	default: '{}',
	description:
		'Members of the API\'s request in its own shape, as JSON or by expression, such as {"scrapeOptions": {"formats": ["markdown", "links"]}}; each takes the place of the field of that name. In an expression, put a space between closing braces.',
};

/** Groups of the request merge; a schema is one value. */
const together = (name: string, stored: unknown, given: unknown) =>
	name !== 'schema' && isRecord(stored) && isRecord(given) ? { ...stored, ...given } : given;

/** Puts the members of `requestJson` in the place of the fields, before the contract of the request is checked. */
export const withRequestJson = <Contract extends z.ZodTypeAny>(contract: Contract) =>
	prepared(contract, (value, context) => {
		const { requestJson, ...request } = value;
		if (isEmptyJson(requestJson)) return request;
		const given = jsonObject().safeParse(requestJson);
		if (!given.success) return handOn(given.error, context, 'requestJson');
		const members = Object.entries(given.data);
		return {
			...request,
			...Object.fromEntries(
				members.map(([name, member]) => [name, together(name, memberOf(request, name), member)]),
			),
		};
	});
