import { z } from 'zod';

import { strict } from '../schemas/body.cjs';

/**
 * How runs go, where the specification leaves it to chance. What a run finds is computed; this only
 * says how long it takes and what stops it. Set for all runs, for those of a team, or for the next ones.
 */
const behaviour = {
	/** From the request to the end, in milliseconds on the service's clock. */
	durationMs: z.number().int().positive().optional(),
	/** Part of the duration that the run is queued, before its first event. */
	queueMs: z.number().int().nonnegative().optional(),
	/** How long a run takes to stop after it was cancelled. */
	cancelMs: z.number().int().nonnegative().optional(),
	/** How the run ends by itself. The credit limit is also reached by runs that cost over `maxCredits`. */
	outcome: z.enum(['succeeded', 'failed', 'refused', 'credit_limit_reached']).optional(),
	/** The words of a failure or refusal. */
	error: z.string().min(1).optional(),
	/** How long the run's status is 404 after its start, in milliseconds, as where a store lags behind. */
	unknownMs: z.number().int().nonnegative().optional(),
	/** The status while the run goes on, in the place of `processing`. */
	runningStatus: z.string().min(1).optional(),
	/** Whether the status has its `error` as a text or as an object with a code. */
	errorForm: z.enum(['text', 'object']).optional(),
	/** The price of the run, in place of the computed one. */
	credits: z.number().int().nonnegative().optional(),
	/**
	 * What the status says at the credit limit: failed without data (servers without the switch for partial
	 * results), failed with what was found under `partial`, or completed with it as data and billed up to the limit.
	 */
	creditLimit: z.enum(['failed', 'failed with partial', 'completed with partial']).optional(),
	/** The status word of a cancelled run: `failed` by the public API reference, `cancelled` in older documents. */
	cancelledStatus: z.enum(['failed', 'cancelled']).optional(),
};
export const behaviourSchema = strict(behaviour);
export type Behaviour = z.output<typeof behaviourSchema>;

/** The next `count` runs (of a team) behave so. */
export const nextRunsSchema = strict({
	...behaviour,
	teamId: z.string().optional(),
	count: z.number().int().positive().default(1),
});
export type NextRuns = z.input<typeof nextRunsSchema>;

export const defaultBehaviour = {
	durationMs: 3000,
	cancelMs: 500,
	outcome: 'succeeded',
	creditLimit: 'failed with partial',
	errorForm: 'text',
	cancelledStatus: 'failed',
} satisfies Behaviour;

export type FullBehaviour = Behaviour & {
	[K in keyof typeof defaultBehaviour]: NonNullable<Behaviour[K]>;
};

/** What the runs to come are told to do. */
export class Script {
	private common: Behaviour;
	private readonly ofTeam = new Map<string, Behaviour>();
	private next: Array<z.output<typeof nextRunsSchema>> = [];

	/** `initial`: how all runs go from the start. */
	constructor(private readonly initial: Behaviour) {
		this.common = initial;
	}

	/** Changes how all runs go, or those of one team. */
	set(change: Behaviour, teamId?: string): void {
		if (teamId === undefined) this.common = { ...this.common, ...change };
		else this.ofTeam.set(teamId, { ...this.ofTeam.get(teamId), ...change });
	}

	/** Adds runs to come, after those added before. */
	add(...runs: NextRuns[]): void {
		this.next.push(...runs.map((run) => nextRunsSchema.parse(run)));
	}

	/** How a run that starts now goes. */
	take(teamId: string): FullBehaviour {
		const found = this.next.find((each) => each.teamId === undefined || each.teamId === teamId);
		if (found && --found.count === 0) this.next.splice(this.next.indexOf(found), 1);
		const { teamId: _team, count: _count, ...own } = found ?? {};
		return { ...defaultBehaviour, ...this.common, ...this.ofTeam.get(teamId), ...own };
	}

	clear(): void {
		this.common = this.initial;
		this.ofTeam.clear();
		this.next = [];
	}
}
