import type { Endpoint } from '../../../runtime/api/endpoint';
import type { Request } from '../../../runtime/http/client';
import type { ApiResponse } from '../../../runtime/api/retry';
import { boolean } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { without } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { requireJobId, startedId } from '../../../runtime/http/requireJobId';
import { costOf, prices, sessionPrice } from '../../fields/prices';
import { profile } from '../../fields/profile';
import { activityTtl, closeSession, ttl, deleteBrowserSession, useActions } from './fields';

const createBrowserSession: Endpoint = {
	method: 'POST',
	path: '/interact',
	bucket: 'browser',
	retrySafety: 'mayStartTwice',
	since: 'August 2026',
	instead: useActions,
};

/** POST /interact (https://docs.firecrawl.dev/api-reference/endpoint/browser-create). `ttl` is always sent: the service's defaults differ. */
export const create = operation({
	name: 'Create',
	value: 'create',
	action: 'Open a browser session',
	description: `Opens a browser session and returns its ID, its URLs for live view and remote control, and its expiry. Costs ${costOf('codeMinute')} per minute until closed, billed by the second.`,
	costs: `${costOf('codeMinute')} per minute, by the second, at least one minute`,
	request: form({
		ttl,
		closeSession: closeSession(),
		...additionalFields({
			activityTtl,
			streamWebView: boolean({
				displayName: 'Live View',
				description: 'Whether to enable live view of the browser. Enabled by default.',
			}),
			profile,
			recordSession: boolean({
				displayName: 'Record Session',
				description: 'Whether to record the session. Enabled by default.',
			}),
		}),
	}),
	settings: settingsFields({ starts: true }),
	async run({ closeSession: closes, ...body }, context) {
		const request = {
			endpoint: createBrowserSession,
			body,
			price: sessionPrice('codeMinute', prices.codeMinute.credits, body.ttl),
		};
		const closing = ({ body: session }: ApiResponse): Request | undefined => {
			const id = startedId(session);
			return closes && id !== undefined
				? { endpoint: deleteBrowserSession, ids: { id } }
				: undefined;
		};
		const response = await context.sendStart(request, closing);
		const atEnd = closing(response);
		if (atEnd) context.atExecutionEnd(atEnd);
		const session = requireJobId('browser session', response, context.errorSource);
		return [{ json: without(session, 'success') }];
	},
});
