import { setAdvice } from '../../../runtime/api/errors';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { field, required } from '../../../runtime/form/field';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { asRecord, label, without } from '../../../runtime/output/results';
import { sendReworded } from '../../../runtime/jobs/sendReworded';
import { settingsFields } from '../../../runtime/form/options';
import { profileName } from '../../fields/profile';
import { fact, forCaller, forUser } from '../../../runtime/api/sentence';

const adviceWhileSaved = [
	fact('A browser session is using the profile.'),
	forCaller('Close it, or wait until it ends, then delete the profile.'),
	forUser(`'Delete' and 'Stop' close it.`),
];

const deleteBrowserProfile: Endpoint = {
	method: 'DELETE',
	path: '/interact/profiles/{name}',
	bucket: 'browserExecute',
	since: 'October 2026',
};

/** DELETE /interact/profiles/{name} (docs/api-notes.md, Browser sessions). */
export const deleteProfile = operation({
	name: 'Delete Profile',
	value: 'deleteProfile',
	action: 'Delete a browser profile',
	description:
		'Deletes the cookies and storage of a profile, and returns its name. Free, and not an error if the profile does not exist.',
	costs: 'free',
	request: form({
		name: required(
			field(
				{
					displayName: 'Profile Name',
					type: 'string',
					default: '',
					placeholder: 'e.g. shop-login',
					description: 'Name of the profile, up to 128 bytes',
				},
				profileName(),
			),
		),
	}),
	settings: settingsFields(),
	async run({ name }, context) {
		const request = { endpoint: deleteBrowserProfile, ids: { name } };
		const response = await sendReworded(request, context, (error) => {
			if (error.httpCode === '409') setAdvice(error, adviceWhileSaved);
		});
		const payload = asRecord(response.body);
		return [{ json: label(without(payload, 'success'), { name, deleted: true }) }];
	},
});
