import type { Context } from '../context.cjs';
import { ApiError } from '../errors.cjs';
import type { Answer, Call, Endpoint, Endpoints, OpenEndpoints } from '../pipeline.cjs';
import { agentEndpoints } from './agent.cjs';
import { pageJobEndpoints } from './pageJobs.cjs';
import { mapEndpoints } from './map.cjs';
import { monitorEndpoints } from './monitor.cjs';
import { parseEndpoints } from './parse.cjs';
import { paperEndpoints } from './research.cjs';
import { scrapeEndpoints } from './scrape.cjs';
import { searchEndpoints } from './search.cjs';
import { sessionEndpoints } from './sessions.cjs';
import { teamEndpoints } from './team.cjs';

/** Every endpoint family. To add one is one file and one line here. */
export function allEndpoints(context: Context): Endpoint[] {
	const api: Endpoints = {
		...searchEndpoints(context),
		...scrapeEndpoints(context),
		...pageJobEndpoints(context),
		...mapEndpoints(context),
		...teamEndpoints(context),
		...parseEndpoints(context),
		...sessionEndpoints(context),
		...paperEndpoints(),
		...agentEndpoints(context),
		...monitorEndpoints(context),
	};
	return [
		...Object.entries(api).map(([route, handle]) => ({ ...routeOf(route), handle })),
		...Object.entries(openEndpoints(context)).map(([route, open]) => ({ ...routeOf(route), open })),
	];
}

function routeOf(route: string): Pick<Endpoint, 'method' | 'path'> {
	const [method, path] = route.split(' ') as [Endpoint['method'], string];
	return { method, path };
}

/** What anybody may ask: health, signed links, and the log for who runs the server alone. */
const openEndpoints = (context: Context): OpenEndpoints => ({
	'GET /v0/health/liveness': () => healthy,
	'GET /v0/health/readiness': () => healthy,
	'GET /_files/:id/:name': (call) => signedFile(context, call),
	'GET /_control/log': () => ({ body: { entries: context.log.entries } }),
});

const healthy: Answer = { body: { status: 'ok' } };

/** A link that has died is a 403, as object stores answer. */
function signedFile({ files }: Context, { params }: Call): Answer {
	const file = files.open(params.id);
	if (!file) throw new ApiError(403, { error: 'The link has expired' });
	return { headers: { 'content-type': file.contentType }, body: file.body };
}
