import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';
import { isRecord } from '../../../runtime/record';
import { uuid } from '../uuid';

/** The monitor that an operation is about; the node registers `searchMonitors` for the list. */
export const monitorIdField: INodeProperties = {
	displayName: 'Monitor',
	name: 'monitorId',
	type: 'resourceLocator',
	required: true,
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
};

/** The id in what n8n stores for a pick, or a bare id. */
export const monitorId = () =>
	z.preprocess((value) => (isRecord(value) ? value.value : value), uuid());

export const monitorPath = (id: string) => `/monitor/${encodeURIComponent(id)}`;
