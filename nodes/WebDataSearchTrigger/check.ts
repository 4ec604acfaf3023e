import type { IDataObject } from 'n8n-workflow';
import { fromJson } from '../runtime/values/json';
import { fingerprint, SeenSet, type SeenStatus } from '../runtime/values/seenSet';
import type { Result } from '../runtime/operation/operation';
import { fieldOf } from '../runtime/values/record';
import { label } from '../runtime/output/results';
import { publishedAt } from './publishedAt';
import { resultKey } from './resultKey';
import type { TriggerSettings } from './settings';

/** What the trigger keeps between checks, in n8n's static data. */
export interface Stored {
	/** Fingerprint of what is searched for. */
	subject?: unknown;
	/** Fingerprint of the names of the fields that are compared. */
	compared?: unknown;
	/** The query parameters that were left out of the addresses in the memory, as JSON text. */
	ignored?: unknown;
	/** The memory's text. */
	seen?: unknown;
	/** When the last check succeeded, as ISO date and time. */
	checkedAt?: unknown;
}

/** Characters of a fingerprint that stands for a whole text. */
const length = 22;

/** What the compared fields hold; undefined when none is compared. */
const stateOf = (json: IDataObject, { compareFields }: TriggerSettings): string | undefined =>
	compareFields.length === 0
		? undefined
		: JSON.stringify(
				compareFields.map((path) => path.split('.').reduce<unknown>(fieldOf, json) ?? null),
			);

/** A result that the trigger fires for. */
export interface NewResult {
	result: Result;
	key: string;
	state?: string;
	/** In Unix milliseconds; 0 when nothing is known of it. */
	publishedAt: number;
}

/** One check: what is new among its results, and the memory that notes it. */
export class Check {
	private readonly memory: SeenSet;
	private readonly isFirst: boolean;
	private readonly subject: string;
	private readonly compared: string;
	/** By which parameters the memory was made, where they were others. */
	private readonly ignoredBefore?: string[];

	/** `subject` says what is searched for: a memory of anything else is left behind. */
	constructor(
		private readonly stored: Stored,
		subject: string,
		private readonly settings: TriggerSettings,
	) {
		this.subject = fingerprint(subject, length);
		this.compared = fingerprint(JSON.stringify(settings.compareFields), length);
		this.isFirst = stored.subject !== this.subject;
		this.memory = new SeenSet(this.isFirst ? '' : stored.seen, settings.maxRemembered);
		if (stored.compared !== this.compared) this.memory.forgetStates();
		const ignored = fromJson(stored.ignored);
		const isOther = stored.ignored !== JSON.stringify(settings.ignoreQueryParameters);
		if (!this.isFirst && isOther) {
			this.ignoredBefore = Array.isArray(ignored) ? ignored.map(String) : [];
		}
	}

	/** When the same search was last carried out; undefined before the first time. */
	get lastTime(): Date | undefined {
		const { checkedAt } = this.stored;
		return this.isFirst || typeof checkedAt !== 'string' ? undefined : new Date(checkedAt);
	}

	/** The results to fire for, each once, in the order of the answer. Those not to fire for are remembered at once. */
	newResultsIn(results: Result[]): NewResult[] {
		const newResults = new Map<string, NewResult>();
		const known = new Set<string>();
		for (const { json, ...rest } of results) {
			const key = resultKey(json, this.settings.ignoreQueryParameters);
			const find = newResults.get(key);
			if (find) find.publishedAt = Math.max(find.publishedAt, publishedAt(json));
			// What several sources found would else look changed: each describes it in its own way.
			if (find || known.has(key)) continue;
			const state = stateOf(json, this.settings);
			const found = this.judge(json, key, state);
			if (found === 'known') {
				known.add(key);
				this.memory.remember(key, state);
			} else {
				const result = { ...rest, json: label(json, { found }) };
				newResults.set(key, { result, key, state, publishedAt: publishedAt(json) });
			}
		}
		const all = [...newResults.values()];
		const chosen = new Set(this.chosenAmong(all));
		this.remember(all.filter((find) => !chosen.has(find)));
		return [...chosen];
	}

	/** Notes that the trigger fires for these. */
	note(newResults: NewResult[], at: Date): Required<Stored> {
		this.remember(newResults);
		return {
			subject: this.subject,
			compared: this.compared,
			ignored: JSON.stringify(this.settings.ignoreQueryParameters),
			seen: this.memory.toString(),
			checkedAt: at.toISOString(),
		};
	}

	/** What is known under its address of before a change of *Ignore Query Parameters* is known: the change makes nothing new. */
	private judge(json: IDataObject, key: string, state?: string): SeenStatus {
		const found = this.memory.statusOf(key, state);
		return found === 'new' && this.ignoredBefore
			? this.memory.statusOf(resultKey(json, this.ignoredBefore), state)
			: found;
	}

	private chosenAmong(newResults: NewResult[]): NewResult[] {
		const { firstCheck, newestCount } = this.settings;
		if (!this.isFirst || firstCheck === 'all') return newResults;
		if (firstCheck === 'nothing') return [];
		// Of those without a date, the best come first, as in the answer.
		const newestFirst = [...newResults].sort((one, other) => other.publishedAt - one.publishedAt);
		const newest = new Set(newestFirst.slice(0, newestCount));
		return newResults.filter((find) => newest.has(find));
	}

	private remember(newResults: NewResult[]): void {
		for (const { key, state } of newResults) this.memory.remember(key, state);
	}
}
