import { setImmediate as turn } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import type { Exchange, HttpFunctions } from '../nodes/runtime/http/client';
import { Limiter } from '../nodes/runtime/http/limiter';
import { sendWithRetries, type RequestContext } from '../nodes/runtime/http/send';
import { eachConcurrent } from '../nodes/runtime/values/outcome';
import { searchWeb } from '../nodes/WebData/resources/search';
import { seededRandom } from '../test/seededRandom.cjs';
import { refusalOf, type SimulatedHint, type SimulatedService } from './simulatedServices.cjs';

/** What is sent to a service, by whom. Times in milliseconds. */
export interface Simulation {
	service: SimulatedService;
	items: number;
	/** The service works on a request for so long, give or take a fifth. */
	latency?: number;
	hint?: SimulatedHint;
	/** n8n processes that know nothing of each other, each with its part of the items. */
	processes?: number;
	seed?: number;
}

/** What came of it. */
export interface Simulated {
	time: number;
	/** When the last item that was answered had been. */
	lastAnswer: number;
	sent: number;
	refused: number;
	/** Items whose request failed for good. */
	failed: number;
}

/** Nothing of n8n's is needed by what is sent here. */
const context = {} as HttpFunctions;

const node: INode = {
	id: 'simulated',
	name: 'Web Data',
	type: 'webData',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** The options as they are by themselves. */
const policy = {
	maxAttempts: 5,
	backOffCap: 30_000,
	budget: 600_000,
	processing: { maxAttempts: 5, budget: 600_000 },
};

/** Most items of a process under way. */
const most = 100;

/** Milliseconds to a refusal. */
const refusalTime = 20;

const after = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** Does the work in a time that stands still while anything can go on, and jumps to the next timer otherwise; resolves with the milliseconds that it took. @throws where nothing can go on */
async function inSimulatedTime(work: () => Promise<unknown>): Promise<number> {
	const { setTimeout, clearTimeout } = globalThis;
	const [dateNow, performanceNow] = [Date.now, performance.now];
	const timers = new Map<number, { at: number; callback: () => void }>();
	let now = 0;
	let last = 0;
	Object.assign(globalThis, {
		setTimeout: (callback: () => void, ms = 0) => {
			timers.set((last += 1), { at: now + Math.max(1, Math.ceil(ms)), callback });
			return last;
		},
		clearTimeout: (id: number) => timers.delete(id),
	});
	Date.now = performance.now = () => now;
	try {
		let isOver = false;
		const end = () => {
			isOver = true;
		};
		const done = work();
		done.then(end, end);
		for (await turn(); !isOver; await turn()) {
			let next: number | undefined;
			for (const [id, { at }] of timers) {
				if (next === undefined || at < (timers.get(next)?.at ?? 0)) next = id;
			}
			const timer = next === undefined ? undefined : timers.get(next);
			if (next === undefined || !timer) throw new Error('Nothing is left to wait for');
			timers.delete(next);
			now = timer.at;
			timer.callback();
		}
		await done;
		return now;
	} finally {
		Object.assign(globalThis, { setTimeout, clearTimeout });
		Date.now = dateNow;
		performance.now = performanceNow;
	}
}

/** Sends all items through the real rate limiters and retries. */
export async function simulate(about: Simulation): Promise<Simulated> {
	const { service, items, latency = 500, hint = 'seconds', processes = 1, seed = 7 } = about;
	const random = seededRandom(seed);
	const found = { lastAnswer: 0, sent: 0, refused: 0, failed: 0 };
	const exchangeOnce = async (item: number): Promise<Exchange> => {
		found.sent += 1;
		const refused = service(Date.now(), item);
		if (refused) {
			found.refused += 1;
			const failure = refusalOf(refused, hint);
			await after(refusalTime);
			return { failure };
		}
		await after(latency * (0.8 + 0.4 * random()));
		return { success: { status: 200, headers: {}, body: {} }, size: 2_000 };
	};
	/** An execution of a process, with a limiter of its own. */
	const execution = async (part: number) => {
		const limiter = new Limiter();
		const requestContext: RequestContext = {
			context,
			limiters: () => limiter,
			errorSource: { node, itemIndex: 0, fields: [], redact: String },
			policy,
		};
		await eachConcurrent(
			Array.from({ length: part }),
			() => Math.min(most, limiter.itemLimit),
			async (_, item) => {
				const send = async () => await exchangeOnce(item);
				await sendWithRetries(send, requestContext, { endpoint: searchWeb }).then(
					() => (found.lastAnswer = Date.now()),
					() => (found.failed += 1),
				);
			},
			() => false,
		);
	};
	const { random: chance } = Math;
	Math.random = random;
	try {
		const time = await inSimulatedTime(
			async () =>
				await Promise.all(
					Array.from({ length: processes }, async (_, index) => {
						await execution(Math.floor(items / processes) + (index < items % processes ? 1 : 0));
					}),
				),
		);
		return { time, ...found };
	} finally {
		Math.random = chance;
	}
}
