import type { Context } from '../context.cjs';
import type { Endpoint } from '../pipeline.cjs';
import { agentEndpoints } from './agent.cjs';
import { controlEndpoints } from './control.cjs';
import { developerEndpoints } from './developer.cjs';
import { fileEndpoints } from './files.cjs';
import { healthEndpoints } from './health.cjs';
import { paperEndpoints } from './papers.cjs';
import { scrapeEndpoints } from './scrape.cjs';
import { searchEndpoints } from './search.cjs';
import { siteEndpoints } from './site.cjs';
import { teamEndpoints } from './team.cjs';
import { webhookControlEndpoints } from './webhooks.cjs';

/** Every endpoint family. To add one is one file and one line here. */
export function allEndpoints(context: Context): Endpoint[] {
	return [
		...searchEndpoints(context),
		...scrapeEndpoints(context),
		...teamEndpoints(context),
		...fileEndpoints(context),
		...siteEndpoints(context),
		...healthEndpoints(),
		...paperEndpoints(context),
		...developerEndpoints(context),
		...agentEndpoints(context),
		...webhookControlEndpoints(context),
		...controlEndpoints(context),
	];
}
