import type { OpenEndpoint } from '../pipeline.cjs';

/** Liveness of a self-hosted server (addendum section 15). */
export function healthEndpoints(): OpenEndpoint[] {
	return [
		{
			method: 'GET',
			path: '/v0/health/readiness',
			open: () => ({ body: { status: 'ok' } }),
		},
	];
}
