import { z } from 'zod/v3';
import { field, required } from '../../../runtime/form/field';
import { isRecord } from '../../../runtime/values/record';
import { uuid } from '../uuid';

/** The ID in what n8n stores for a pick, or a bare ID. */
const picked = z.preprocess((value) => (isRecord(value) ? value.value : value), uuid());

/** A monitor; the node registers `searchMonitors` for the list. */
export const monitor = field(
	{
		displayName: 'Monitor',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a monitor...',
				typeOptions: { searchListMethod: 'searchMonitors', searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b',
			},
		],
		description: 'The monitor, picked from the list or by its ID',
	},
	picked,
);

/** The monitor that an operation is about. */
export const monitorId = required(monitor);

export const monitorPath = (id: string) => `/monitor/${encodeURIComponent(id)}`;
