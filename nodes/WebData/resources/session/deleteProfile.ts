import { NodeApiError } from 'n8n-workflow';
import { fields } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { settle } from '../../../runtime/outcome';
import { asRecord, label, noticesIn, without } from '../../../runtime/results';
import { optionsField } from '../../../runtime/settings';
import { profileName } from '../../fields/profile';

/** DELETE /interact/profiles/{name} (docs/api-notes.md, Browser sessions). */
export const deleteProfile = operation({
	name: 'Delete Profile',
	value: 'deleteProfile',
	action: 'Delete a stored browser profile',
	description:
		'Deletes the cookies and the storage that sessions and scrapes share under the name of a profile, and returns the name. Free, and no error when nothing is stored.',
	fields: [
		{
			displayName: 'Profile Name',
			name: 'name',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. shop-login',
			description: 'Name of the profile, up to 128 bytes',
		},
		optionsField(),
	],
	costs: 'free',
	contract: fields({ name: profileName() }),
	read: ({ name }) => ({ name }),
	async run({ name }, _values, call) {
		const path = `/interact/profiles/${encodeURIComponent(name)}`;
		const sent = await settle(call.send({ method: 'DELETE', path, cost: 'read' }));
		if ('error' in sent) {
			const { error } = sent;
			if (error instanceof NodeApiError && error.httpCode === '409') {
				error.description =
					'A browser session saves to the profile. Close it with Delete or Stop, or wait for its end, and delete the profile then.';
			}
			throw error;
		}
		const answer = asRecord(sent.value.body);
		noticesIn(answer).forEach(call.notice);
		return [{ json: label(without(answer, 'success'), { name, deleted: true }) }];
	},
});
