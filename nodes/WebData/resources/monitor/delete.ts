import { fields } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { settingsFields } from '../../../runtime/settings';
import { monitorId, monitorIdField, monitorPath } from '../../fields/monitor/monitorId';

/** DELETE /monitor/{id} (addendum 10). */
export const deleteMonitor = operation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete a monitor',
	description:
		'Ends a monitor for good and returns its ID. To stop it for a while, pause it with Update. Free.',
	fields: [monitorIdField, ...settingsFields()],
	costs: 'free',
	contract: fields({ monitorId: monitorId() }),
	read: ({ monitorId: picked }) => ({ monitorId: picked }),
	async run({ monitorId: id }, _values, call) {
		await call.send({ method: 'DELETE', path: monitorPath(id), cost: 'read' });
		return [{ json: { deleted: true, monitorId: id } }];
	},
});
