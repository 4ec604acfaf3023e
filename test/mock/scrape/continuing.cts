import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';
import type { Scraped } from './scraper.cjs';

const longestPause = 600;

interface Continuing {
	result: Promise<Scraped>;
	due: number;
	documentPages?: number;
}

/** A large document that a request asks for. */
export interface LargeDocument {
	/** Tells requests apart: the same one again joins the running scrape. */
	key: string;
	neededMs: number;
	patienceMs: number;
	pageCount(): Promise<number>;
	/** Scrapes without regard to the request's timeout. */
	begin(stopped: AbortSignal): Promise<Scraped>;
	/** Books the price: once, when the document is done, whether or not anybody collects it. */
	charge(scraped: Scraped): void;
}

/** Scrapes that go on when their request's time is over; the same request again collects the result. */
export class ContinuingScrapes {
	private readonly running = new Map<string, Continuing>();
	private stopping = new AbortController();

	constructor(private readonly clock: Clock) {}

	isRunning(key: string): boolean {
		return this.running.has(key);
	}

	/** The scrape's result, which is then forgotten; or throws the 408 that says when to ask again. */
	async collect(document: LargeDocument): Promise<Scraped> {
		const { key, patienceMs } = document;
		const found = this.running.get(key) ?? (await this.begin(document));
		if (found.due - this.clock.now() > patienceMs) throw this.continues(found);
		try {
			return await found.result;
		} finally {
			if (this.running.get(key) === found) this.running.delete(key);
		}
	}

	clear(): void {
		this.stopping.abort(new Error('The scrape was stopped'));
		this.stopping = new AbortController();
		this.running.clear();
	}

	private async begin({ key, neededMs, pageCount, begin, charge }: LargeDocument) {
		const due = this.clock.now() + neededMs;
		const begun: Continuing = { result: begin(this.stopping.signal), due };
		this.running.set(key, begun);
		begun.result.then(
			(scraped) => {
				if (this.running.get(key) === begun) charge(scraped);
			},
			// A failure is told to whoever collects it; until then nobody may be listening.
			() => undefined,
		);
		begun.documentPages = await pageCount();
		return begun;
	}

	private continues({ due, documentPages }: Continuing): ApiError {
		const estimatedRemainingSeconds = Math.max(1, Math.ceil((due - this.clock.now()) / 1000));
		const retryAfterSeconds = Math.min(longestPause, estimatedRemainingSeconds);
		const error =
			'The document is still being processed. Send the same request again to collect the result.';
		const state = { state: 'processing_continues', jobStatus: 'running', documentPages };
		const details = { ...state, estimatedRemainingSeconds, retryAfterSeconds };
		const headers = { 'retry-after': String(retryAfterSeconds) };
		return new ApiError(408, { code: 'SCRAPE_TIMEOUT', error, details }, headers);
	}
}
