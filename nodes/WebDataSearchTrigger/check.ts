import type { IDataObject } from 'n8n-workflow';
import { fingerprint, Memory } from '../runtime/memory';
import type { Result } from '../runtime/operation';
import { memberOf } from '../runtime/record';
import { label } from '../runtime/results';
import { newest } from './newest';
import { resultKey } from './resultKey';
import type { TriggerSettings } from './settings';

/** What the trigger keeps between checks, in n8n's static data. */
export interface Stored {
	/** Fingerprint of what is searched for. */
	subject?: unknown;
	/** Fingerprint of the names of the fields that are compared. */
	compared?: unknown;
	/** The memory's text. */
	seen?: unknown;
	/** When the last check succeeded, as ISO date and time. */
	checkedAt?: unknown;
}

const subjectLength = 22;

const compared = ({ compareFields }: TriggerSettings) =>
	fingerprint(JSON.stringify(compareFields), subjectLength);

/** What the compared fields hold. */
const stateOf = (json: IDataObject, { compareFields }: TriggerSettings): string =>
	JSON.stringify(
		compareFields.map((path) => path.split('.').reduce<unknown>(memberOf, json) ?? null),
	);

/** A result that the trigger fires for. */
export interface Find {
	result: Result;
	key: string;
	state: string;
}

/** One check: what is new among its results, and the memory that notes it. */
export class Check {
	private readonly memory: Memory;
	private readonly isFirst: boolean;
	private readonly isStateful: boolean;
	private readonly subject: string;

	constructor(
		private readonly stored: Stored,
		subject: string,
		private readonly settings: TriggerSettings,
	) {
		this.subject = fingerprint(subject, subjectLength);
		this.isFirst = stored.subject !== this.subject;
		// States of other fields cannot be compared.
		this.isStateful = settings.compareFields.length > 0 && stored.compared === compared(settings);
		this.memory = new Memory(this.isFirst ? '' : stored.seen, settings.maxRemembered);
	}

	/** When the same search was last carried out; undefined before the first time. */
	get lastTime(): Date | undefined {
		const { checkedAt } = this.stored;
		return this.isFirst || typeof checkedAt !== 'string' ? undefined : new Date(checkedAt);
	}

	/** The results to fire for, each once, in the order of the answer. Those not to fire for are noted at once. */
	findsIn(results: Result[]): Find[] {
		const { firstCheck, newestCount } = this.settings;
		const finds = new Map<string, Find>();
		for (const { json, ...rest } of results) {
			const key = resultKey(json);
			const state = stateOf(json, this.settings);
			const found = this.memory.judge(key, state, this.isStateful);
			if (found === 'known' || finds.has(key)) this.memory.remember(key, state);
			else finds.set(key, { result: { ...rest, json: label(json, { found }) }, key, state });
		}
		const all = [...finds.values()];
		if (!this.isFirst || firstCheck === 'all') return all;
		const count = firstCheck === 'newest' ? newestCount : 0;
		const chosen = new Set(
			newest(
				all.map(({ result }) => result),
				count,
			),
		);
		for (const { result, key, state } of all) {
			if (!chosen.has(result)) this.memory.remember(key, state);
		}
		return all.filter(({ result }) => chosen.has(result));
	}

	/** Notes that the trigger fires for these. */
	note(finds: Find[], at: Date): Required<Stored> {
		for (const { key, state } of finds) this.memory.remember(key, state);
		return {
			subject: this.subject,
			compared: compared(this.settings),
			seen: this.memory.toString(),
			checkedAt: at.toISOString(),
		};
	}
}
