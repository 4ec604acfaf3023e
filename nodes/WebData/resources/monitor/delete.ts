import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { monitorEndpoints } from '../../fields/monitor/endpoints';
import { monitorId } from '../../fields/monitor/monitorId';

/** DELETE /monitor/{id} (https://docs.firecrawl.dev/features/monitoring). */
export const deleteMonitor = operation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a monitor',
	description: 'Deletes a monitor permanently and returns its ID. Free.',
	costs: 'free',
	request: form({ monitorId }),
	settings: settingsFields(),
	async run({ monitorId: id }, context) {
		await context.send({ endpoint: monitorEndpoints.delete, ids: { id } });
		return [{ json: { deleted: true, monitorId: id } }];
	},
});
