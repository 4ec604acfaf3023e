import type { IDataObject } from 'n8n-workflow';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { label, without } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { sendToSession } from './ended';
import { deleteBrowserSession, sessionId } from './sessionId';

/** DELETE /interact/{id} (https://docs.firecrawl.dev/api-reference/endpoint/browser-delete). */
export const deleteSession = operation({
	name: 'Delete',
	value: 'delete',
	action: 'Close a browser session',
	description:
		'Closes a browser session, and with it the charge by the minute. Saves its profile if it has one, and returns how long it lasted and the credits it cost.',
	costs: 'free',
	request: form({ sessionId }),
	settings: settingsFields(),
	async run({ sessionId: id }, _values, context) {
		const response = await sendToSession(
			{ endpoint: deleteBrowserSession, ids: { id } },
			'There is nothing to close, and no more minutes are charged. If that is unexpected, check the ID.',
			context,
		);
		const about = without(response.body as IDataObject, 'success');
		return [{ json: label(about, { sessionId: id, deleted: true }) }];
	},
});
