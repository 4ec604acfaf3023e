import { setTimeout as pause } from 'node:timers/promises';

/** Calls until a value other than undefined is returned, for things of other processes that cannot be awaited. @throws when there is none within `ms` milliseconds */
export async function until<Answer>(
	what: string,
	ask: () => Promise<Answer | undefined> | Answer | undefined,
	ms = 120_000,
): Promise<Answer> {
	for (const end = Date.now() + ms; Date.now() < end; await pause(100)) {
		const answer = await ask();
		if (answer !== undefined) return answer;
	}
	throw new Error(`Waited ${ms / 1000} s in vain for ${what}`);
}
