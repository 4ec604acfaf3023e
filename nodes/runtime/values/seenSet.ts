import { createHash } from 'node:crypto';

const keyLength = 11;
const stateLength = 6;
const recordLength = keyLength + stateLength;

/** Stands for a state that is not known; no fingerprint has spaces. */
const noState = ' '.repeat(stateLength);

/** A text's fingerprint: `length` characters of 6 bits each. */
export const fingerprint = (text: string, length: number): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, length);

/** The fingerprint under which a memory keeps a key. */
export const keyMark = (key: string): string => fingerprint(key, keyLength);

const stateMark = (state: string | undefined) =>
	state === undefined ? noState : fingerprint(state, stateLength);

/** What a memory knows of something: never seen, seen in this state, or seen in another. */
export type SeenStatus = 'new' | 'known' | 'changed';

/**
 * A bounded memory of what was seen, in a form small enough for n8n's static data: 17 characters for
 * each, the least recently seen first to be forgotten. What it holds are fingerprints: 66 bits of the
 * key, 36 of the state that it was in.
 */
export class SeenSet {
	private readonly seen = new Map<string, string>();
	/** Goes on behind what was forgotten last: a map that is begun anew passes all that it has lost. */
	private readonly oldestFirst = this.seen.keys();

	/** `stored` is what `toString` gave, or nothing; `bound` is how many keys are kept. */
	constructor(
		stored: unknown,
		private readonly bound: number,
	) {
		const text = typeof stored === 'string' ? stored : '';
		const count = Math.floor(text.length / recordLength);
		for (let index = Math.max(0, count - bound); index < count; index += 1) {
			const record = text.slice(index * recordLength, (index + 1) * recordLength);
			this.seen.set(record.slice(0, keyLength), record.slice(keyLength));
		}
	}

	/** How well something is known; without a state, or when that of last time is not known, states are not compared. */
	statusOf(key: string, state?: string): SeenStatus {
		return this.statusOfMark(keyMark(key), state);
	}

	/** As `statusOf`, by the fingerprint of the key. */
	statusOfMark(mark: string, state?: string): SeenStatus {
		const known = this.seen.get(mark);
		if (known === undefined) return 'new';
		if (state === undefined || known === noState) return 'known';
		return known === stateMark(state) ? 'known' : 'changed';
	}

	/** Notes that something was seen now, in this state. */
	remember(key: string, state?: string): void {
		this.rememberMark(keyMark(key), state);
	}

	/** As `remember`, by the fingerprint of the key. */
	rememberMark(mark: string, state?: string): void {
		this.note(mark, stateMark(state));
	}

	/** Notes all that another memory holds, as seen after what is here. */
	add(other: SeenSet): void {
		for (const [mark, state] of other.seen) this.note(mark, state);
	}

	/** The fingerprints of all keys, the least recently seen first. */
	get marks(): string[] {
		return [...this.seen.keys()];
	}

	/** Forgets a key by its fingerprint. */
	forget(mark: string): void {
		this.seen.delete(mark);
	}

	private note(mark: string, state: string): void {
		this.seen.delete(mark);
		this.seen.set(mark, state);
		if (this.seen.size <= this.bound) return;
		const oldest = this.oldestFirst.next();
		if (!oldest.done) this.seen.delete(oldest.value);
	}

	/** Keeps what was seen but not in which states: for when a state is to mean something else. */
	forgetStates(): void {
		for (const key of this.seen.keys()) this.seen.set(key, noState);
	}

	toString(): string {
		return [...this.seen].map(([key, state]) => key + state).join('');
	}
}
