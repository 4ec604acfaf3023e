import type { INode } from 'n8n-workflow';
import fc from 'fast-check';
import type { HttpContext, Reply } from '../../../nodes/runtime/client';
import { RateLimiter } from '../../../nodes/runtime/rateLimiter';
import { persist, type Line } from '../../../nodes/runtime/send';

/** Takes a request on, or says for how many milliseconds it does not, and whether its window resets then. */
interface Service {
	take(now: number): { wait: number; resets?: boolean } | undefined;
}

/** A window of a minute that begins with its first request, as the hosted service counts. */
function window(limit: number, used = 0): Service {
	let from = 0;
	let count = used;
	return {
		take(now) {
			if (now >= from + 60_000) [from, count] = [now, 0];
			if (count >= limit) return { wait: from + 60_000 - now, resets: true };
			count += 1;
			return undefined;
		},
	};
}

/** A bucket that holds `most` requests and fills evenly. */
function bucket(perMinute: number, most = perMinute): Service {
	const each = 60_000 / perMinute;
	let tokens = most;
	let filledAt = 0;
	return {
		take(now) {
			tokens = Math.min(most, tokens + (now - filledAt) / each);
			filledAt = now;
			if (tokens < 1) return { wait: (1 - tokens) * each };
			tokens -= 1;
			return undefined;
		},
	};
}

/** Refuses for the last two of every twenty seconds, whatever is asked of it. */
const withOutages = (inner: Service): Service => ({
	take: (now) => (now % 20_000 >= 18_000 ? { wait: 1_000 } : inner.take(now)),
});

/** Numbers in [0, 1), the same for the same seed. */
function drawn(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

/** Refuses each request with a probability, whatever the rate. */
const atRandom = (probability: number, random: () => number): Service => ({
	take: () => (random() < probability ? { wait: 1_000 } : undefined),
});

/** Nothing of n8n's is needed by what is sent here. */
const context = {} as HttpContext;

const node: INode = {
	id: 'plan',
	name: 'Web Data',
	type: 'webData',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

interface Plan {
	service: Service;
	items: number;
	latency?: number;
	/** n8n processes that share the plan, each with its part of the items. */
	processes?: number;
	isPaced?: boolean;
	random?: () => number;
}

/** Items in flight of each process. */
const width = 5;

const refusalOf = ({ wait, resets }: { wait: number; resets?: boolean }): Reply => ({
	failure: {
		answer: {
			status: 429,
			headers: { 'retry-after': String(Math.ceil(wait / 1000)) },
			body: { error: `Rate limit exceeded${resets ? ', resets at the end of the minute' : ''}` },
		},
	},
});

/** Sends all items through the real rate limiter and retries, on the driven clock. Times in milliseconds. */
async function sendAll(plan: Plan): Promise<{ time: number; sent: number; refused: number }> {
	const { service, items, latency = 500, processes = 1, isPaced = true, random = drawn(7) } = plan;
	jest.spyOn(Math, 'random').mockImplementation(random);
	const began = Date.now();
	const counts = { sent: 0, refused: 0 };
	const after = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
	const exchangeOnce = async (): Promise<Reply> => {
		counts.sent += 1;
		const refused = service.take(Date.now() - began);
		if (refused) {
			counts.refused += 1;
			await after(20);
			return refusalOf(refused);
		}
		await after(latency * (0.8 + 0.4 * random()));
		return { success: { status: 200, headers: {}, body: {} } };
	};
	const processOf = async () => {
		const limiter = new RateLimiter();
		const line: Line = {
			context,
			rateLimiters: isPaced ? () => limiter : undefined,
			place: { node, itemIndex: 0, fields: [], conceal: String },
			policy: {
				maxTries: 20,
				backOffCap: 30_000,
				budget: 600_000,
				repeatUncertain: false,
				repeatUncertainAnswers: true,
				processing: { maxTries: 5, budget: 600_000 },
			},
		};
		let left = items / processes;
		const worker = async () => {
			while (left > 0) {
				left -= 1;
				await persist(exchangeOnce, 'paid answer', line);
			}
		};
		await Promise.all(Array.from({ length: width }, worker));
	};
	let isOver = false;
	const all = Promise.all(Array.from({ length: processes }, processOf)).then(() => (isOver = true));
	while (!isOver) await jest.advanceTimersToNextTimerAsync();
	await all;
	return { time: Date.now() - began, ...counts };
}

/** docs/rate-limits.md has the figures. */
describe('against a plan', () => {
	beforeEach(() => {
		jest.useFakeTimers({ now: 0 });
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.useRealTimers();
	});

	/** Four resets after the first window, and the last round. */
	const fiveWindows = (limit: number) => 240_000 + Math.ceil(limit / width) * 600;

	it.each([10, 60])(
		'of windows of %i a minute no time is lost, one in a window refused',
		async (limit) => {
			const { time, refused } = await sendAll({ service: window(limit), items: 5 * limit });
			expect(time / fiveWindows(limit)).toBeLessThan(1.05);
			expect(refused).toBeLessThanOrEqual(width + 4);
		},
	);

	it.each([10, 60])('of windows of %i of which half is used at first: neither', async (limit) => {
		const service = window(limit, limit / 2);
		const { time, refused } = await sendAll({ service, items: 5 * limit });
		expect(time / (fiveWindows(limit) + 60_000)).toBeLessThan(1.05);
		expect(refused).toBeLessThanOrEqual(width + 2 * 5);
	});

	it('of a bucket that fills by 60 a minute, few are refused', async () => {
		const { time, sent, refused } = await sendAll({ service: bucket(60), items: 300 });
		expect(time / 240_000).toBeLessThan(1.08);
		expect(refused / sent).toBeLessThan(0.06);
	});

	it.each([2, 10])('that %i processes share, all end', async (processes) => {
		const { time } = await sendAll({ service: window(60), items: 300, processes });
		expect(time / fiveWindows(60)).toBeLessThan(1.05);
	});

	it('that refuses everything from time to time, the rate does not collapse', async () => {
		const service = withOutages(bucket(300, 5));
		const { time } = await sendAll({ service, items: 300, latency: 100 });
		expect(time / 67_000).toBeLessThan(1.5);
	});

	it.each([
		[0.05, 1.6],
		[0.1, 3.5],
	])(
		'that refuses %d at random, whatever the rate, at most %d times as long as without limiter',
		async (probability, most) => {
			const times = { paced: 0, free: 0 };
			for (const seed of [1, 2, 3, 4, 5]) {
				const plan = { items: 300, latency: 500 };
				const service = () => atRandom(probability, drawn(seed));
				times.free += (await sendAll({ ...plan, service: service(), isPaced: false })).time;
				times.paced += (await sendAll({ ...plan, service: service() })).time;
			}
			expect(times.paced / times.free).toBeLessThan(most);
		},
	);

	it('of any kind, every item is answered, and no time is more than twice what the plan allows', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					limit: fc.integer({ min: 5, max: 120 }),
					isWindow: fc.boolean(),
					latency: fc.integer({ min: 50, max: 2_000 }),
					seed: fc.nat(),
				}),
				async ({ limit, isWindow, latency, seed }) => {
					const items = 3 * limit;
					const service = isWindow ? window(limit) : bucket(limit);
					const { time, sent, refused } = await sendAll({
						service,
						items,
						latency,
						random: drawn(seed),
					});
					expect(sent - refused).toBe(items);
					expect(time).toBeLessThan(2 * (120_000 + (items / width) * 1.2 * latency));
				},
			),
			{ numRuns: 100, seed: 77 },
		);
	});
});
