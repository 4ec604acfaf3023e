import type { Endpoint } from '../nodes/runtime/http/endpoint';
import { scrapePage } from '../nodes/WebData/fields/common';
import { searchWeb } from '../nodes/WebData/resources/search';
import type { INode } from 'n8n-workflow';
import type { HttpFunctions, Exchange } from '../nodes/runtime/http/client';
import { mapConcurrent } from '../nodes/runtime/values/outcome';
import { ItemConcurrency } from '../nodes/runtime/execution/execute';
import { Limiter } from '../nodes/runtime/http/limiter';
import { sendWithRetries, type RequestContext } from '../nodes/runtime/http/send';
import {
	drawn,
	refusalOf,
	type SimulatedHint,
	type SimulatedService,
} from './simulatedServices.cjs';
import { SimulatedTime } from './simulatedTime.cjs';

/** What is sent to a service, by whom. Times in milliseconds. */
export interface Simulation {
	service: SimulatedService;
	items: number;
	/** The service works on a request for so long, give or take a fifth. */
	latency?: number;
	hint?: SimulatedHint;
	/** n8n processes that know nothing of each other, each with its part of the items. */
	processes?: number;
	/** Most items of a process under way. */
	most?: number;
	/** Without, each item only waits for itself; with `most` in flight. */
	isPaced?: boolean;
	/** Bytes of an answer. */
	size?: number;
	/** Milliseconds between the arrivals of items; without, all arrive at once. */
	every?: number;
	/** What each process scrapes beside it, with the same credential; the items above are searches. */
	beside?: { service: SimulatedService; items: number };
	seed?: number;
}

/** What came of it. */
export interface Simulated {
	time: number;
	/** When the first process had ended. */
	firstEnd: number;
	/** When the last of what is done beside it had; 0 where there is nothing. */
	besideEnd: number;
	/** When the last item that was answered had been. */
	lastAnswer: number;
	/** The times of the answered items from their arrival to their answer, together. */
	itemTime: number;
	sent: number;
	refused: number;
	/** Items whose request failed for good. */
	failed: number;
	mostInFlight: number;
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

/** Milliseconds to a refusal. */
const refusalTime = 20;

const after = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** Sends all items through the real rate limiters and retries. */
export async function simulate(about: Simulation): Promise<Simulated> {
	const { service, items, latency = 500, hint = 'seconds', size = 2_000, seed = 7 } = about;
	const { beside } = about;
	const { processes = 1, most = 100, isPaced = true, every = 0 } = about;
	const random = drawn(seed);
	const found = {
		firstEnd: Infinity,
		besideEnd: 0,
		lastAnswer: 0,
		itemTime: 0,
		sent: 0,
		refused: 0,
		failed: 0,
		mostInFlight: 0,
	};
	let inFlight = 0;
	const exchangeOnce = async (
		asked: SimulatedService,
		item: number,
		draw: () => number,
	): Promise<Exchange> => {
		found.sent += 1;
		const now = Date.now();
		const refused = asked.take(now, item);
		if (refused) {
			found.refused += 1;
			await after(refusalTime);
			return { failure: refusalOf(refused, hint) };
		}
		inFlight += 1;
		found.mostInFlight = Math.max(found.mostInFlight, inFlight);
		const work = latency * (0.8 + 0.4 * draw());
		await after((asked.endOf?.(now, work) ?? now + work) - now);
		inFlight -= 1;
		asked.done?.();
		return { success: { status: 200, headers: {}, body: {} }, size };
	};
	/** An execution of a process: sends its items to an endpoint. */
	const execution = async (
		limiters: NonNullable<RequestContext['limiters']>,
		endpoint: Endpoint,
		asked: SimulatedService,
		part: number,
		draw: () => number,
	) => {
		const pace = new ItemConcurrency(limiters);
		const requestContext: RequestContext = {
			context,
			limiters: isPaced ? pace.limiters : undefined,
			endpoint,
			errorSource: { node, itemIndex: 0, fields: [], redact: String },
			policy,
		};
		await mapConcurrent(
			Array.from({ length: part }),
			() => (isPaced && every === 0 ? Math.min(most, pace.limit) : most),
			async (_, item) => {
				if (every > 0) await after(item * every);
				const arrived = Date.now();
				const sent = sendWithRetries(
					async () => await exchangeOnce(asked, item, draw),
					'mayChargeTwice',
					requestContext,
				);
				await sent.then(
					() => {
						found.lastAnswer = Date.now();
						found.itemTime += Date.now() - arrived;
					},
					() => (found.failed += 1),
				);
			},
			() => false,
		);
	};
	const processOf = async (part: number) => {
		const known = new Map<string, Limiter>();
		const limiters = (bucket: string): Limiter => {
			const limiter = known.get(bucket) ?? new Limiter();
			known.set(bucket, limiter);
			return limiter;
		};
		const scraped = async () => {
			if (!beside) return;
			await execution(limiters, scrapePage, beside.service, beside.items, drawn(seed));
			found.besideEnd = Math.max(found.besideEnd, Date.now());
		};
		const searched = async () => {
			await execution(limiters, searchWeb, service, part, random);
			found.firstEnd = Math.min(found.firstEnd, Date.now());
		};
		await Promise.all([searched(), scraped()]);
	};
	const { random: chance } = Math;
	Math.random = random;
	try {
		const time = await new SimulatedTime().run(
			async () =>
				await Promise.all(
					Array.from({ length: processes }, async (_, index) => {
						const part = Math.floor(items / processes) + (index < items % processes ? 1 : 0);
						await processOf(part);
					}),
				),
		);
		return { time, ...found };
	} finally {
		Math.random = chance;
	}
}
