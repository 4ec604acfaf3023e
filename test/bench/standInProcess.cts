import './speed.cjs';

import { startService, type Service } from '../service/service.cjs';
import { serveOrders } from './remote.cjs';
import type { AgentRun, StandInOrder, StandInReport } from './standIn.cjs';

let service: Service | undefined;

async function obey({ begin }: StandInOrder): Promise<StandInReport> {
	service ??= await startService();
	const { url, keys, context, log, site } = service;
	if (begin) {
		const { agentMs, bulk } = begin;
		service.reset();
		context.agents.script.set({ durationMs: agentMs });
		context.pageJobs.paces.set({ pageMs: 0 });
		Object.assign(site.bulk, bulk);
	}
	const runs = context.agents.jobs.map(
		({ id, about, finishedAt }): AgentRun => ({
			prompt: about.task.prompt,
			startedAt: about.startedAt,
			finishedAt,
			polls: log.of('GET', `/v2/agent/${id}`).length,
		}),
	);
	return { url: `${url}/v2`, key: keys.full, runs };
}

serveOrders(obey);
