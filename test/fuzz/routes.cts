import type { Context } from '../mock/context.cjs';
import { allEndpoints } from '../mock/endpoints/all.cjs';
import type { LogEntry } from '../mock/requestLog.cjs';
import type { Findings } from './findings.cjs';

/** Finds requests that took none of the API's routes, as the mock server has them, nor the link of a file. */
export function routeFindingsOf(context: Context): (entries: LogEntry[]) => Findings {
	const routes = allEndpoints(context)
		.filter((endpoint) => 'handle' in endpoint || endpoint.path.startsWith('/_files/'))
		.map(({ method, path }) => ({
			method,
			pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
		}));
	return (entries) =>
		entries
			.filter(
				({ method, path }) =>
					!routes.some((route) => route.method === method && route.pattern.test(path)),
			)
			.map(({ method, path }) => `no route of the API: ${method} ${path}`);
}
