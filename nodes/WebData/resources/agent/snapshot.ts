import type { IDataObject } from 'n8n-workflow';
import { missingInResponse } from '../../../runtime/api/errors';
import { fromJson } from '../../../runtime/values/json';
import type { Call } from '../../../runtime/operation/operation';
import { runPath } from './job';

/** GET /agent/{jobId}/snapshots/{snapshotId}. Its content comes as text, and JSON text is parsed once more (https://docs.firecrawl.dev/api-reference/endpoint/agent-snapshot). */
export async function readSnapshot(
	jobId: string,
	snapshotId: string,
	call: Call,
): Promise<IDataObject> {
	const path = `${runPath(jobId)}/snapshots/${encodeURIComponent(snapshotId)}`;
	const response = await call.send({ method: 'GET', path, retrySafety: 'safe' });
	const { snapshot } = response.body as IDataObject;
	if (snapshot === undefined) throw missingInResponse('the snapshot', call.errorSource);
	return { jobId, snapshotId, snapshot: fromJson(snapshot) as IDataObject };
}
