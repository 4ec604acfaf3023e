import type { IDataObject } from 'n8n-workflow';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { label, without } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { sendToSession } from './ended';
import { deleteBrowserSession, sessionId } from './fields';
import { fact, forCaller } from '../../../runtime/api/sentence';

/** DELETE /interact/{id} (https://docs.firecrawl.dev/api-reference/endpoint/browser-delete). */
export const deleteSession = operation({
	name: 'Delete',
	value: 'delete',
	action: 'Close a browser session',
	description:
		'Closes a browser session, which stops the charge per minute. Saves its profile, if any, and returns its duration and credits.',
	costs: 'free',
	request: form({ sessionId }),
	settings: settingsFields(),
	async run({ sessionId: id }, context) {
		const response = await sendToSession(
			{ endpoint: deleteBrowserSession, ids: { id } },
			[
				fact('There is no session to close, and no more minutes are charged.'),
				forCaller('If this is unexpected, check the ID.'),
			],
			context,
		);
		const about = without(response.body as IDataObject, 'success');
		return [{ json: label(about, { sessionId: id, deleted: true }) }];
	},
});
