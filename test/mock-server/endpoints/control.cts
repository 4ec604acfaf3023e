import { z } from 'zod';

import type { Context } from '../context.cjs';
import { faultSchema } from '../faults.cjs';
import type { Call, OpenEndpoint } from '../pipeline.cjs';
import { parseBody, strict } from '../schemas/body.cjs';
import { reset } from '../reset.cjs';

const clockMove = z.union([
	strict({ hold: z.union([z.literal(true), z.number()]) }),
	strict({ release: z.literal(true) }),
	strict({ advance: z.number().nonnegative() }),
]);

const names = z.array(z.string());
const teamChange = z
	.object({
		id: z.string(),
		name: z.string().optional(),
		credits: z.number().optional(),
		ratePerMinute: z.record(z.number().int().nonnegative()).optional(),
		concurrency: z.number().int().positive().optional(),
		whenFull: z.enum(['reject', 'queue']).optional(),
		retryHint: z.enum(['header', 'date', 'text', 'details', 'none']).optional(),
		features: z
			.array(z.enum(['alexandria', 'anon', 'ignoreRobots', 'threatProtection', 'zdr']))
			.optional(),
		zdrForced: z.boolean().optional(),
		threat: strict({ enforced: z.boolean(), overrides: z.boolean() }).optional(),
		suspended: z.boolean().optional(),
		safeMode: z.boolean().optional(),
		webhookSecret: z.string().min(1).optional(),
		lowersLimit: z.boolean().optional(),
	})
	.strict();

const teamInput = teamChange.extend({ key: z.string().optional() }).strict();

const settings = strict({
	research: z.enum(['records', 'web', 'by date']).optional(),
	authentication: z.boolean().optional(),
	keyless: z
		.union([z.literal(false), strict({ requestsPerDay: z.number(), creditsPerDay: z.number() })])
		.optional(),
	nextHost: z.string().nullable().optional(),
	mapLinks: z.enum(['objects', 'strings']).optional(),
	unsupportedHosts: names.optional(),
	riskScores: z.record(z.number()).optional(),
	threatClassifier: z.enum(['up', 'down']).optional(),
	toolDiscovery: z.enum(['up', 'degraded']).optional(),
});

const pageChange = strict({
	url: z.string(),
	change: strict({
		title: z.string().optional(),
		description: z.string().optional(),
		markdown: z.string().optional(),
		published: z.string().datetime().optional(),
	}),
});

const newPage = strict({
	url: z.string(),
	title: z.string(),
	markdown: z.string(),
	description: z.string().optional(),
	kind: z.enum(['page', 'news']).optional(),
	published: z.string().datetime().optional(),
});

/** `/_control/…`: what tests in the same process do with the service object, for other processes. */
export function controlEndpoints(context: Context): OpenEndpoint[] {
	const post = (name: string, act: (call: Call) => unknown): OpenEndpoint => ({
		method: 'POST',
		path: `/_control/${name}`,
		open: async (call) => ({ body: (await act(call)) ?? { ok: true } }),
	});
	const get = (name: string, look: () => unknown): OpenEndpoint => ({
		method: 'GET',
		path: `/_control/${name}`,
		open: () => ({ body: look() }),
	});
	return [
		get('faults', () => ({ faults: context.faults.pending })),
		post('faults', ({ body }) => {
			const faults = parseBody(z.union([z.array(faultSchema), faultSchema]), body);
			context.faults.add(...[faults].flat());
		}),
		post('faults/clear', () => context.faults.clear()),
		get('clock', () => clockState(context)),
		post('clock', async ({ body }) => {
			const move = parseBody(clockMove, body);
			if ('hold' in move) context.clock.hold(move.hold === true ? undefined : move.hold);
			else if ('release' in move) context.clock.release();
			else await context.clock.advance(move.advance);
			return clockState(context);
		}),
		get('log', () => ({ entries: context.log.entries })),
		post('log/clear', () => context.log.clear()),
		get('ledger', () => ({ entries: context.ledger.entries })),
		get('teams', () => ({ teams: context.teams.allTeams(), keys: context.teams.allKeys() })),
		post('teams', ({ body }) => {
			const { key, ...change } = parseBody(teamInput, body);
			const known = context.teams.allTeams().find(({ id }) => id === change.id);
			if (known && !key) Object.assign(known, change);
			else context.teams.add({ ...known, ...change }, key);
		}),
		post('settings', ({ body }) => applySettings(context, parseBody(settings, body))),
		post('site', ({ body }) => {
			const { url, change } = parseBody(pageChange, body);
			context.site.update(url, change);
		}),
		post('site/add', ({ body }) => {
			const { published, ...page } = parseBody(newPage, body);
			const now = new Date(context.clock.now()).toISOString();
			context.site.add({ ...page, published: published ?? now });
		}),
		post('site/remove', ({ body }) =>
			context.site.remove(parseBody(strict({ url: z.string() }), body).url),
		),
		post('site/bulk', ({ body }) => {
			const bulk = strict({
				pages: z.number().int().nonnegative(),
				bytes: z.number().int().positive().optional(),
			});
			Object.assign(context.site.bulk, parseBody(bulk, body));
		}),
		post('reset', () => reset(context)),
	];
}

function clockState({ clock }: Context): { now: number; held: boolean; waiting: number } {
	return { now: clock.now(), held: clock.held, waiting: clock.waiting };
}

function applySettings(context: Context, change: z.output<typeof settings>): void {
	const { options, threats } = context;
	if (change.research) options.research = change.research;
	if (change.authentication !== undefined) options.authentication = change.authentication;
	if (change.keyless !== undefined) options.keyless = change.keyless || undefined;
	if (change.nextHost !== undefined) options.nextHost = change.nextHost ?? undefined;
	if (change.mapLinks) options.mapLinks = change.mapLinks;
	for (const host of change.unsupportedHosts ?? []) context.unsupportedHosts.add(host);
	for (const [host, score] of Object.entries(change.riskScores ?? {}))
		threats.scores.set(host, score);
	if (change.toolDiscovery) context.tools.degraded = change.toolDiscovery === 'degraded';
	if (change.threatClassifier) threats.reachable = change.threatClassifier === 'up';
}
