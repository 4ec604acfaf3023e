import { fields } from '../../../runtime/contract';
import { operation } from '../../../runtime/operation';
import { settingsFields } from '../../../runtime/settings';
import { uuid } from '../../fields/uuid';
import { runIdField } from './jobId';
import { readSnapshot } from './snapshot';

/** GET /agent/{jobId}/snapshots/{snapshotId} (addendum 1). */
export const getSnapshot = operation({
	name: 'Get Snapshot',
	value: 'getSnapshot',
	action: 'Get an agent snapshot',
	description:
		'Returns one state of a document (artifact) that an agent was working on, by the ID that Get Trace returns. Free.',
	fields: [
		runIdField,
		{
			displayName: 'Snapshot ID',
			name: 'snapshotId',
			type: 'string',
			required: true,
			default: '',
			description: 'ID from an artifact.updated event of the trace',
		},
		...settingsFields(),
	],
	costs: 'free',
	contract: fields({ jobId: uuid(), snapshotId: uuid() }),
	read: ({ jobId, snapshotId }) => ({ jobId, snapshotId }),
	run: async ({ jobId, snapshotId }, _values, call) => [
		{ json: await readSnapshot(jobId, snapshotId, call) },
	],
});
