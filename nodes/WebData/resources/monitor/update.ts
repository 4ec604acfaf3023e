import { transformSchema } from '../../../runtime/form/effects';
import { objectSchema, forwardIssues, collectionFields } from '../../../runtime/form/schema';
import { form, inCollection } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { monitorEndpoints } from '../../fields/monitor/endpoints';
import { monitorId } from '../../fields/monitor/monitorId';
import { targets } from '../../fields/monitor/targets';
import { requestJson } from '../../fields/requestJson';
import { recordResult } from './response';
import { updatableFields, clearFields, monitorChanges } from './changes';

const group = { name: 'additionalFields', displayName: 'Update Fields', placeholder: 'Add Field' };

const requested = form({
	monitorId,
	targets,
	...inCollection(group, { clearFields, requestJson, ...updatableFields }),
});

/** PATCH /monitor/{id} (https://docs.firecrawl.dev/features/monitoring). */
export const update = operation({
	name: 'Update',
	value: 'update',
	action: 'Update a monitor',
	description:
		'Updates, pauses or resumes a monitor and returns it. Fields not set stay unchanged. Free; its checks are charged.',
	costs: 'free',
	request: {
		fields: requested.fields,
		// In the editor's fields, null from an expression leaves a field unchanged; only null in
		// JSON clears it.
		read: (values) =>
			Object.fromEntries(
				Object.entries(collectionFields(requested.read(values))).filter(
					([, field]) => field !== null,
				),
			),
		schema: transformSchema((value, context) => {
			const { monitorId: picked, ...fields } = collectionFields(value);
			const about = objectSchema({ monitorId: monitorId.schema }).safeParse({ monitorId: picked });
			if (!about.success) return forwardIssues(about.error, context);
			const changes = monitorChanges.safeParse(fields);
			if (!changes.success) return forwardIssues(changes.error, context);
			return { id: about.data.monitorId, changes: changes.data };
		}),
	},
	settings: settingsFields({ sends: true }),
	async run({ id, changes }, call) {
		const request = { endpoint: monitorEndpoints.update, ids: { id }, body: changes };
		const response = await call.send(request);
		return [recordResult(response.body, call)];
	},
});
