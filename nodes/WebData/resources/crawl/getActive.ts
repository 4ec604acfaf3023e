import { answeredList } from '../../../runtime/answeredList';
import { form } from '../../../runtime/form';
import { operation } from '../../../runtime/operation';
import { asRecord } from '../../../runtime/results';
import { settingsFields } from '../../../runtime/settings';

/** GET /crawl/active (addendum 6). */
export const getActive = operation({
	name: 'Get Active',
	value: 'getActive',
	action: 'Get active crawls',
	description:
		"Returns the team's crawls that are running now, one item each: ID, start page and options. Free.",
	costs: 'free',
	request: form({}),
	settings: settingsFields(),
	async run(_body, _values, call) {
		const answer = await call.send({ method: 'GET', path: '/crawl/active', cost: 'read' });
		const { crawls } = asRecord(answer.body);
		return answeredList(crawls, call.place).map((crawl) => ({ json: asRecord(crawl) }));
	},
});
