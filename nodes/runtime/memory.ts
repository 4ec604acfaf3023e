import { createHash } from 'node:crypto';

const keyLength = 11;
const stateLength = 6;

/** A text's fingerprint: `length` characters of 6 bits each. */
export const fingerprint = (text: string, length: number): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, length);

/** What a memory knows of something: never seen, seen in this state, or seen in another. */
export type Acquaintance = 'new' | 'known' | 'changed';

/**
 * A bounded memory of what was seen, in a form small enough for n8n's static data: 17 characters for
 * each, the least recently seen first to be forgotten. What it holds are fingerprints: 66 bits of the
 * key, 36 of the state that it was in.
 */
export class Memory {
	private readonly seen = new Map<string, string>();

	/** `stored` is what `toString` gave, or nothing; `bound` is how many keys are kept. */
	constructor(
		stored: unknown,
		private readonly bound: number,
	) {
		const text = typeof stored === 'string' ? stored : '';
		const record = keyLength + stateLength;
		for (let at = 0; at + record <= text.length; at += record) {
			const end = at + keyLength;
			this.seen.set(text.slice(at, end), text.slice(end, end + stateLength));
		}
	}

	/** How well something is known; states are compared only where `stateful`. */
	judge(key: string, state = '', stateful = false): Acquaintance {
		const known = this.seen.get(fingerprint(key, keyLength));
		if (known === undefined) return 'new';
		return stateful && known !== fingerprint(state, stateLength) ? 'changed' : 'known';
	}

	/** Notes that something was seen now, in this state. */
	remember(key: string, state = ''): void {
		const short = fingerprint(key, keyLength);
		this.seen.delete(short);
		this.seen.set(short, fingerprint(state, stateLength));
		if (this.seen.size <= this.bound) return;
		const [oldest] = this.seen.keys();
		this.seen.delete(oldest);
	}

	toString(): string {
		return [...this.seen].map(([key, state]) => key + state).join('');
	}
}
