import type { OpenEndpoint } from '../pipeline.cjs';

/** Whether a self-hosted server runs, and is ready. */
export function healthEndpoints(): OpenEndpoint[] {
	return ['liveness', 'readiness'].map((name) => ({
		method: 'GET',
		path: `/v0/health/${name}`,
		open: () => ({ body: { status: 'ok' } }),
	}));
}
