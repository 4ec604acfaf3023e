import { seededRandom } from '../seededRandom.cjs';
import type { FaultInput } from '../mock/faults.cjs';
import type { Service } from '../mock/service.cjs';
import type { DrivenTime } from '../engine/drivenTime.cjs';
import type { PolledWorkflow } from '../engine/polledWorkflow.cjs';

const day = 86_400_000;

/** The days of a trigger's life: what happens on each, and what goes wrong. */
export interface Life {
	trigger: PolledWorkflow;
	service: Service;
	time: DrivenTime;
	days: number;
	seed: number;
	/** Changes what is watched; asked before each poll. */
	change(random: (below: number) => number, day: number): Promise<void> | void;
	/** What may happen to the requests of a poll. */
	faults: FaultInput[];
}

/** What happened beside the changes. */
export interface Misfortunes {
	faults: number;
	kills: number;
	restarts: number;
	/** The largest static data in bytes. */
	largest: number;
}

/**
 * Polls once a day. Every fifth day a request fails, every eighth n8n is killed while executions start, every
 * tenth it is restarted, all by chance. The last two polls succeed.
 */
export async function live(life: Life): Promise<Misfortunes> {
	const { trigger, service, time, days, seed, change, faults } = life;
	const chance = seededRandom(seed);
	const random = (below: number) => Math.floor(chance() * below);
	const met: Misfortunes = { faults: 0, kills: 0, restarts: 0, largest: 0 };
	const restart = async () => {
		const later = () => {
			// n8n tries again and again, until what goes wrong is over.
			service.faults.clear();
			return trigger.restart();
		};
		await time.drive(trigger.restart().catch(later));
	};
	await time.drive(trigger.activate());
	// n8n stores nothing of the poll at activation if it found nothing.
	await time.drive(trigger.poll());
	for (let today = 1; today <= days; today += 1) {
		await time.pass(day);
		await change(random, today);
		if (random(5) === 0) {
			met.faults += 1;
			service.faults.add(faults[random(faults.length)]);
		}
		if (random(8) === 0) trigger.untilKill = random(3);
		const executions = trigger.executions.length;
		const kill = trigger.untilKill;
		await time.drive(trigger.poll());
		if (kill !== Infinity) {
			if (trigger.executions.length - executions === kill) met.kills += 1;
			await restart();
		} else if (random(10) === 0) {
			met.restarts += 1;
			await restart();
		}
		service.faults.clear();
		met.largest = Math.max(met.largest, Buffer.byteLength(JSON.stringify(trigger.stored)));
	}
	await time.drive(trigger.poll());
	await time.drive(trigger.poll());
	return met;
}
