import type { IDataObject } from 'n8n-workflow';
import { requireArray } from '../../../runtime/http/paging';
import type { Endpoint } from '../../../runtime/api/endpoint';
import { boolean } from '../../../runtime/form/field';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { asRecord, label, without } from '../../../runtime/output/results';
import { settingsFields } from '../../../runtime/form/options';
import { jobId } from '../../fields/ids';
import { useGet } from './job';

const getAgentThread: Endpoint = {
	method: 'GET',
	path: '/agent/threads/{threadId}',
	bucket: 'agentStatus',
	since: 'October 2026',
	instead: useGet,
};

/** GET /agent/threads/{threadId} (https://docs.firecrawl.dev/api-reference/endpoint/agent). */
export const getThread = operation({
	name: 'Get Thread',
	value: 'getThread',
	action: 'Get an agent thread',
	description:
		'Returns the runs of a conversation with the agent, one item per turn, oldest first. Use it to get earlier prompts and responses. Free.',
	costs: 'free',
	request: form({
		threadId: jobId('ID of the thread, returned by its runs', 'Thread ID'),
		includeData: boolean({
			displayName: 'Include Data',
			description: 'Whether to include the results of completed turns',
		}),
	}),
	settings: settingsFields(),
	async run({ threadId, includeData }, context) {
		const response = await context.send({
			endpoint: getAgentThread,
			ids: { threadId },
			query: includeData ? { includeData } : {},
		});
		const about = asRecord((response.body as IDataObject).thread ?? {});
		const runs = requireArray(about.runs, context.errorSource);
		const thread = without(about, 'runs', 'id');
		return runs.map((entry) => ({
			json: label(asRecord(entry), { threadId, thread }),
		}));
	},
});
