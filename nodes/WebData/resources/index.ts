import type { Resource } from '../../runtime/operation';
import { account } from './account';
import { agent } from './agent';
import { batch } from './batch';
import { crawl } from './crawl';
import { file } from './file';
import { map } from './map';
import { monitor } from './monitor';
import { page } from './page';
import { paper } from './paper';
import { search } from './search';
import { session } from './session';
import { tool } from './dataTool';

/** The node's resources in the order of the editor, the most used first; the first is the default. */
export const resources: Resource[] = [
	search,
	page,
	crawl,
	map,
	batch,
	file,
	agent,
	session,
	monitor,
	paper,
	tool,
	account,
];
