import type { IDataObject } from 'n8n-workflow';
import { fromJson } from '../runtime/values/json';
import { fingerprint, SeenSet, type SeenStatus } from '../runtime/values/seenSet';
import type { Result } from '../runtime/operation/operation';
import { fieldOf } from '../runtime/values/record';
import { label } from '../runtime/output/results';
import { publishedAt } from './publishedAt';
import { resultKey } from './resultKey';
import type { TriggerSettings } from './settings';

/** The state of a search between checks. */
export interface Stored {
	/** Hash of the search. */
	subject?: unknown;
	/** Hash of the names of compared fields. */
	compared?: unknown;
	/** The query parameters that the stored URLs ignore, as JSON. */
	ignored?: unknown;
	/** The serialized set of known results. */
	seen?: unknown;
	/** Time of the last successful check, as ISO date and time. */
	checkedAt?: unknown;
}

/** Characters of a hash. */
const length = 22;

/** The values of the compared fields; undefined if none is compared. */
const stateOf = (json: IDataObject, { compareFields }: TriggerSettings): string | undefined =>
	compareFields.length === 0
		? undefined
		: JSON.stringify(
				compareFields.map((path) => path.split('.').reduce<unknown>(fieldOf, json) ?? null),
			);

/** A result that starts the workflow. */
export interface NewResult {
	result: Result;
	key: string;
	state?: string;
	/** Unix milliseconds; 0 if unknown. */
	publishedAt: number;
}

/** Finds the new results of a check, and updates the set of known ones. */
export class NewResults {
	private readonly memory: SeenSet;
	private readonly isFirst: boolean;
	private readonly subject: string;
	private readonly compared: string;
	/** The query parameters that the stored URLs ignore, if they differ from the settings. */
	private readonly ignoredBefore?: string[];

	/** `subject` identifies the search: the results of another one are forgotten. */
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

	/** Time of the last check of this search; undefined before the first. */
	get lastTime(): Date | undefined {
		const { checkedAt } = this.stored;
		return this.isFirst || typeof checkedAt !== 'string' ? undefined : new Date(checkedAt);
	}

	/**
	 * Returns the results that start the workflow, each once, in the order of the response. Stores
	 * the others at once.
	 */
	newResultsIn(results: Result[]): NewResult[] {
		const newResults = new Map<string, NewResult>();
		const known = new Set<string>();
		for (const { json, ...rest } of results) {
			const key = resultKey(json, this.settings.ignoreQueryParameters);
			const newResult = newResults.get(key);
			if (newResult) newResult.publishedAt = Math.max(newResult.publishedAt, publishedAt(json));
			// Several sources describe a result differently, which is no change.
			if (newResult || known.has(key)) continue;
			const state = stateOf(json, this.settings);
			const found = this.statusOf(json, key, state);
			if (found === 'known') {
				known.add(key);
				this.memory.add(key, state);
			} else {
				const result = { ...rest, json: label(json, { change: found }) };
				newResults.set(key, { result, key, state, publishedAt: publishedAt(json) });
			}
		}
		const all = [...newResults.values()];
		const chosen = new Set(this.chosenAmong(all));
		this.store(all.filter((newResult) => !chosen.has(newResult)));
		return [...chosen];
	}

	/** Stores the results that start the workflow. */
	record(newResults: NewResult[], at: Date): Record<keyof Stored, string> {
		this.store(newResults);
		return {
			subject: this.subject,
			compared: this.compared,
			ignored: JSON.stringify(this.settings.ignoreQueryParameters),
			seen: this.memory.toString(),
			checkedAt: at.toISOString(),
		};
	}

	/**
	 * Returns the status of a result. After a change of *Ignore Query Parameters*, a result is also
	 * known by its previous key.
	 */
	private statusOf(json: IDataObject, key: string, state?: string): SeenStatus {
		const found = this.memory.statusOf(key, state);
		return found === 'new' && this.ignoredBefore
			? this.memory.statusOf(resultKey(json, this.ignoredBefore), state)
			: found;
	}

	private chosenAmong(newResults: NewResult[]): NewResult[] {
		const { firstCheck, newestCount } = this.settings;
		if (!this.isFirst || firstCheck === 'all') return newResults;
		if (firstCheck === 'none') return [];
		// Stable sort: results without a date keep the order of the response, best first.
		const newestFirst = [...newResults].sort((one, other) => other.publishedAt - one.publishedAt);
		const newest = new Set(newestFirst.slice(0, newestCount));
		return newResults.filter((newResult) => newest.has(newResult));
	}

	private store(newResults: NewResult[]): void {
		for (const { key, state } of newResults) this.memory.add(key, state);
	}
}
