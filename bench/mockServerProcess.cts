import './speed.cjs';

import { startService, type Service } from '../test/mock/service.cjs';
import { serveOrders } from './remote.cjs';
import type { AgentRun, MockServerOrder, MockServerReport } from './mockServer.cjs';

let service: Service | undefined;

async function obey({ begin }: MockServerOrder): Promise<MockServerReport> {
	service ??= await startService();
	const { url, keys, context, ledger, log, site } = service;
	if (begin) {
		const { agentMs, bulk } = begin;
		service.reset();
		context.agents.script.set({ durationMs: agentMs });
		context.pageJobs.paces.set({ pageMs: 0 });
		Object.assign(site.bulk, bulk);
	}
	const runs = context.agents.jobs.map(
		({ id, about, startedAt, finishedAt }): AgentRun => ({
			prompt: about.task.prompt,
			startedAt,
			finishedAt,
			polls: log.of('GET', `/v2/agent/${id}`).length,
		}),
	);
	const credits = ledger.entries.reduce((sum, entry) => sum + entry.credits, 0);
	return { url: `${url}/v2`, key: keys.full, credits, runs };
}

serveOrders(obey);
