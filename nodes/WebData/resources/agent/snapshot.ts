import type { IDataObject } from 'n8n-workflow';
import type { Call } from '../../../runtime/operation';
import { runPath } from './job';

/** A snapshot's content: it comes as text, and JSON text is parsed once more (addendum 1). */
export function snapshotContent(snapshot: unknown): unknown {
	if (typeof snapshot !== 'string') return snapshot;
	try {
		return JSON.parse(snapshot) as unknown;
	} catch {
		return snapshot;
	}
}

/** GET /agent/{jobId}/snapshots/{snapshotId}, its content parsed. */
export async function readSnapshot(
	jobId: string,
	snapshotId: string,
	call: Call,
): Promise<IDataObject> {
	const path = `${runPath(jobId)}/snapshots/${encodeURIComponent(snapshotId)}`;
	const answer = await call.send({ method: 'GET', path, cost: 'read' });
	const { snapshot } = answer.body as IDataObject;
	return { jobId, snapshotId, snapshot: snapshotContent(snapshot) as IDataObject };
}
