import type { IDataObject } from 'n8n-workflow';
import { requireArray } from '../../../runtime/http/paging';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { boolean } from '../../../runtime/form/field';
import { additionalFields, form } from '../../../runtime/form/form';
import { operation, type Result } from '../../../runtime/operation/operation';
import { aboutRequest, asRecord, without } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { useGet, runId } from './job';
import { readSnapshot } from './getSnapshot';
import { flattened, inOrderOfEvents, snapshotIdOf } from './trace';

const getAgentTrace: Endpoint = {
	method: 'GET',
	path: '/agent/{id}/trace',
	bucket: 'agentStatus',
	since: 'August 2026',
	instead: useGet,
	needsDatabase: true,
};

/** GET /agent/{jobId}/trace (https://docs.firecrawl.dev/api-reference/endpoint/agent-trace). */
export const getTrace = operation({
	name: 'Get Trace',
	value: 'getTrace',
	action: 'Get an agent trace',
	description:
		'Returns the events of an agent run in order, one item each: tool calls, progress, errors, documents. Use it to debug a run. Free.',
	costs: 'free',
	request: form({
		jobId: runId,
		...additionalFields({
			includeSnapshots: boolean({
				displayName: 'Include Snapshots',
				default: true,
				description:
					'Whether to fetch the content of each document (artifact) in the events, one request each',
			}),
			liveView: boolean({
				displayName: 'Live View',
				default: true,
				description: "Whether to include live view URLs of the agent's open browsers",
			}),
		}),
	}),
	settings: settingsFields(),
	async run({ jobId, includeSnapshots, liveView }, context) {
		const response = await context.send({
			endpoint: getAgentTrace,
			ids: { id: jobId },
			query: liveView === undefined ? {} : { liveView },
		});
		const body = response.body as IDataObject;
		const request = without(aboutRequest(body), 'events', 'id');
		const events = requireArray(body.events, context.errorSource).map(asRecord);
		const results: Result[] = [];
		for (const event of inOrderOfEvents(events)) {
			const snapshotId = includeSnapshots ? snapshotIdOf(event) : undefined;
			const content =
				snapshotId === undefined
					? {}
					: { snapshot: (await readSnapshot(jobId, snapshotId, context)).snapshot };
			results.push({ json: { ...flattened(event), ...content, jobId, request } });
		}
		return results;
	},
});
