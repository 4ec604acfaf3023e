import type { IDataObject } from 'n8n-workflow';
import { required } from '../../../runtime/form/field';
import { form } from '../../../runtime/form/form';
import { operation, type ReadContext } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { exampleId, id } from '../../fields/ids';
import { runId, useGet } from './job';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { missingInResponse } from '../../../runtime/api/errors';
import { fromJson } from '../../../runtime/values/json';

const getAgentSnapshot: Endpoint = {
	method: 'GET',
	path: '/agent/{id}/snapshots/{snapshotId}',
	bucket: 'agentStatus',
	since: 'August 2026',
	instead: useGet,
};

/**
 * GET /agent/{jobId}/snapshots/{snapshotId}. Its content is text, and JSON text is parsed once more
 * (https://docs.firecrawl.dev/api-reference/endpoint/agent-snapshot).
 */
export async function readSnapshot(
	jobId: string,
	snapshotId: string,
	context: ReadContext,
): Promise<IDataObject> {
	const ids = { id: jobId, snapshotId };
	const response = await context.send({ endpoint: getAgentSnapshot, ids });
	const { snapshot } = response.body as IDataObject;
	if (snapshot === undefined) throw missingInResponse('the snapshot', context.errorSource);
	return { jobId, snapshotId, snapshot: fromJson(snapshot) as IDataObject };
}

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
				placeholder: exampleId,
				description: 'ID from an artifact.updated event in the trace',
			}),
		),
	}),
	settings: settingsFields(),
	run: async ({ jobId, snapshotId }, context) => [
		{ json: await readSnapshot(jobId, snapshotId, context) },
	],
});
