import type { Context } from '../context.cjs';
import type { Endpoint } from '../pipeline.cjs';
import { agentEndpoints } from './agent.cjs';
import { batchEndpoints } from './batch.cjs';
import { controlEndpoints } from './control.cjs';
import { crawlEndpoints } from './crawl.cjs';
import { developerEndpoints } from './developer.cjs';
import { feedbackEndpoints } from './feedback.cjs';
import { fileEndpoints } from './files.cjs';
import { governmentEndpoints } from './government.cjs';
import { healthEndpoints } from './health.cjs';
import { mapEndpoints } from './map.cjs';
import { monitorEndpoints } from './monitor.cjs';
import { paperEndpoints } from './papers.cjs';
import { parseEndpoints } from './parse.cjs';
import { scrapeEndpoints } from './scrape.cjs';
import { searchEndpoints } from './search.cjs';
import { sessionEndpoints } from './sessions.cjs';
import { siteEndpoints } from './site.cjs';
import { teamEndpoints } from './team.cjs';
import { toolControlEndpoints } from './toolCalls.cjs';
import { webhookControlEndpoints } from './webhooks.cjs';

/** Every endpoint family. To add one is one file and one line here. */
export function allEndpoints(context: Context): Endpoint[] {
	return [
		...searchEndpoints(context),
		...scrapeEndpoints(context),
		...batchEndpoints(context),
		...crawlEndpoints(context),
		...mapEndpoints(context),
		...teamEndpoints(context),
		...feedbackEndpoints(context),
		...parseEndpoints(context),
		...sessionEndpoints(context),
		...fileEndpoints(context),
		...siteEndpoints(context),
		...healthEndpoints(),
		...paperEndpoints(context),
		...developerEndpoints(context),
		...governmentEndpoints(context),
		...agentEndpoints(context),
		...monitorEndpoints(context),
		...toolControlEndpoints(context),
		...webhookControlEndpoints(context),
		...controlEndpoints(context),
	];
}
