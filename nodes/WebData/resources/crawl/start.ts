import { operation } from '../../../runtime/operation';
import { settingsFields } from '../../../runtime/settings';
import { startedAs } from '../../../runtime/started';
import { jobResult } from '../../documents/documentJob';
import { crawlStart } from '../../documents/crawlStart';
import { crawlKind } from '../../documents/crawlKind';
import { crawlHints, crawlRequest } from './request';

/** POST /crawl (addendum 6). */
export const start = operation({
	name: 'Start',
	value: 'start',
	action: 'Start a crawl',
	description:
		'Starts reading a website and returns the job ID at once, without the pages; Get reads them later. 1 credit per page, more for some formats.',
	request: crawlRequest,
	settings: settingsFields({ starts: true }),
	costs: 'as Run',
	hints: crawlHints,
	async run(body, _values, call) {
		const answer = await call.send(crawlStart(body, call.isHosted));
		return [jobResult(startedAs(crawlKind.noun, answer, call.place))];
	},
});
