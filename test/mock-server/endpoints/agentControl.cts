import { z } from 'zod';

import { behaviourSchema, nextRunsSchema } from '../agent/script.cjs';
import type { Context } from '../context.cjs';
import type { Call, OpenEndpoint } from '../pipeline.cjs';
import { parseBody, strict } from '../schemas/body.cjs';

const oldRun = strict({
	teamId: z.string(),
	prompt: z.string().default('An earlier run'),
	model: z.enum(['spark-2', 'spark-1-pro', 'spark-1-mini']).default('spark-1-pro'),
	/** How long ago it started, in milliseconds. It ended at once. */
	ageMs: z.number().int().positive().default(60_000),
	count: z.number().int().positive().default(1),
});

/** `/_control/agent/…`: how runs go, runs of earlier days, accepted terms. */
export function agentControlEndpoints(context: Context): OpenEndpoint[] {
	const { agents } = context;
	const post = (name: string, act: (call: Call) => unknown): OpenEndpoint => ({
		method: 'POST',
		path: `/_control/agent/${name}`,
		open: (call) => ({ body: act(call) ?? { ok: true } }),
	});
	return [
		post('behaviour', ({ body }) => {
			const { teamId, ...change } = parseBody(
				behaviourSchema.extend({ teamId: z.string().optional() }),
				body,
			);
			agents.script.set(change, teamId);
		}),
		post('next', ({ body }) => {
			const runs = parseBody(z.union([z.array(nextRunsSchema), nextRunsSchema]), body);
			agents.script.add(...[runs].flat());
		}),
		post('past', ({ body, entry }) => {
			const { count, ...run } = parseBody(oldRun, body);
			const ids = Array.from(
				{ length: count },
				(_, place) => agents.addPast({ ...run, ageMs: run.ageMs + place, requestId: entry.id }).id,
			);
			return { ids };
		}),
		post('terms', ({ body }) => {
			const terms = strict({
				provider: z.string(),
				version: z.string().optional(),
				teamId: z.string().optional(),
			});
			const { provider, version, teamId } = parseBody(terms, body);
			if (version !== undefined) agents.terms.versions.set(provider, version);
			if (teamId !== undefined) agents.terms.accept(teamId, provider);
		}),
		post('settings', ({ body }) => {
			const settings = strict({
				threads: z.boolean().optional(),
				freeRunsPerDay: z.number().int().nonnegative().optional(),
			});
			const { threads, freeRunsPerDay } = parseBody(settings, body);
			agents.threadsEnabled = threads ?? agents.threadsEnabled;
			agents.freeRunsPerDay = freeRunsPerDay ?? agents.freeRunsPerDay;
		}),
	];
}
