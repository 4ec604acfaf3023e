import type { Context } from '../context.cjs';
import type { Answer, ApiCall, ApiEndpoint } from '../pipeline.cjs';
import { parseBody } from '../schemas/body.cjs';
import { governmentBody, governmentQuery, type GovernmentRequest } from '../schemas/government.cjs';
import { parseQueryString } from '../schemas/query.cjs';

/** `GET` and `POST /search/gov`: free, and also without a key. */
export function governmentEndpoints(context: Context): ApiEndpoint[] {
	const search = (
		method: 'GET' | 'POST',
		read: (call: ApiCall) => GovernmentRequest,
	): ApiEndpoint => ({
		method,
		path: '/v2/search/gov',
		rate: 'developer',
		keyless: true,
		handle: (call) => answer(context, read(call)),
	});
	return [
		search('GET', ({ query }) => parseQueryString(governmentQuery, query)),
		search('POST', ({ body }) => parseBody(governmentBody, body, 'Invalid query parameters')),
	];
}

function answer({ government }: Context, { query, k }: GovernmentRequest): Answer {
	return { body: { success: true, data: { web: government.search(query, k) } } };
}
