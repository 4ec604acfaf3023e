import { required } from '../../../runtime/form/field';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { id } from '../../fields/uuid';
import { runId } from './jobId';
import { readSnapshot } from './snapshot';

/** GET /agent/{jobId}/snapshots/{snapshotId} (https://docs.firecrawl.dev/api-reference/endpoint/agent-snapshot). */
export const getSnapshot = operation({
	name: 'Get Snapshot',
	value: 'getSnapshot',
	action: 'Get an agent snapshot',
	description:
		'Returns a version of a document (artifact) that an agent worked on, by its ID. Free.',
	costs: 'free',
	request: form({
		jobId: runId,
		snapshotId: required(
			id({
				displayName: 'Snapshot ID',
				description: 'ID from an artifact.updated event in the trace',
			}),
		),
	}),
	settings: settingsFields(),
	run: async ({ jobId, snapshotId }, context) => [
		{ json: await readSnapshot(jobId, snapshotId, context) },
	],
});
