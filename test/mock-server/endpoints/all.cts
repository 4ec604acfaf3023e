import type { Context } from '../context.cjs';
import type { Endpoint } from '../pipeline.cjs';
import { agentEndpoints } from './agent.cjs';
import { batchEndpoints } from './batch.cjs';
import { crawlEndpoints } from './crawl.cjs';
import { developerEndpoints } from './developer.cjs';
import { feedbackEndpoints } from './feedback.cjs';
import { mapEndpoints } from './map.cjs';
import { monitorEndpoints } from './monitor.cjs';
import { openEndpoints } from './open.cjs';
import { paperEndpoints } from './papers.cjs';
import { parseEndpoints } from './parse.cjs';
import { scrapeEndpoints } from './scrape.cjs';
import { searchEndpoints } from './search.cjs';
import { sessionEndpoints } from './sessions.cjs';
import { teamEndpoints } from './team.cjs';

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
		...paperEndpoints(context),
		...developerEndpoints(context),
		...agentEndpoints(context),
		...monitorEndpoints(context),
		...openEndpoints(context),
	];
}
