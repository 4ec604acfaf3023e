import type { Context } from '../mock/context.cjs';
import { allEndpoints } from '../mock/endpoints/all.cjs';
import type { LogEntry } from '../mock/requestLog.cjs';
import type { Findings } from './findings.cjs';

/** Names the route that a request took, of the API or to a file that it links to, as the mock server has them; undefined when it took none. */
export function routesOf(context: Context): (entry: LogEntry) => string | undefined {
	const routes = allEndpoints(context)
		.filter((endpoint) => 'handle' in endpoint || endpoint.path.startsWith('/_files/'))
		.map(({ method, path }) => ({
			method,
			path,
			pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
		}))
		// Of two routes that fit, the one with fewer parameters is taken.
		.sort((one, other) => one.path.split(':').length - other.path.split(':').length);
	return ({ method, path }) => {
		const route = routes.find((each) => each.method === method && each.pattern.test(path));
		return route && `${route.method} ${route.path}`;
	};
}

/** Finds requests that took none of the API's routes. */
export function routeFindingsOf(context: Context): (entries: LogEntry[]) => Findings {
	const routeOf = routesOf(context);
	return (entries) =>
		entries
			.filter((entry) => routeOf(entry) === undefined)
			.map(({ method, path }) => `no route of the API: ${method} ${path}`);
}
