import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { missingInResponse } from '../../../runtime/api/errors';
import { fromJson } from '../../../runtime/values/json';
import type { ReadContext } from '../../../runtime/operation/operation';
import { useGet } from './job';

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
