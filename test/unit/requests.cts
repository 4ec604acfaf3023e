import type { Endpoint } from '../../nodes/runtime/http/endpoint';
import { pathOf, retrySafetyOf, type Request } from '../../nodes/runtime/http/client';

/** A request as it is sent, its path whole. */
export type SentRequest = Omit<Request, 'endpoint' | 'ids' | 'nextPage'> & {
	method: Endpoint['method'];
	path: string;
};

/** An endpoint of which only method and path matter. */
export const endpointAt = (method: Endpoint['method'], path: string): Endpoint => ({
	method,
	path,
	bucket: 'other',
	retrySafety: 'free',
});

/** A request to such an endpoint. */
export const asRequest = ({ method, path, ...rest }: SentRequest): Request => ({
	endpoint: endpointAt(method, path),
	...rest,
});

/** What is sent for a request. */
export function sentFor(request: Request): SentRequest {
	const { endpoint, ids: _ids, nextPage: _nextPage, ...rest } = request;
	const { method } = endpoint;
	return { ...rest, method, path: pathOf(request), retrySafety: retrySafetyOf(request) };
}
