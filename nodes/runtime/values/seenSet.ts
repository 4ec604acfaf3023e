import { createHash } from 'node:crypto';

const keyLength = 11;
const stateLength = 6;
const recordLength = keyLength + stateLength;

/** Represents an unknown state; no hash has spaces. */
const noState = ' '.repeat(stateLength);

/** Hashes a text to `length` characters of 6 bits each. */
export const fingerprint = (text: string, length: number): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, length);

/** The hash that represents a key. */
export const keyHash = (key: string): string => fingerprint(key, keyLength);

const stateHash = (state: string | undefined) =>
	state === undefined ? noState : fingerprint(state, stateLength);

/** Whether a key is new, known in this state, or known in another. */
export type SeenStatus = 'new' | 'known' | 'changed';

/**
 * A bounded set of keys that were seen, each with its state. It evicts the least recently seen.
 * Serialized for n8n's static data in 17 characters per key: 66 bits of the key's hash and 36 of
 * its state's.
 */
export class SeenSet {
	private readonly seen = new Map<string, string>();
	/** Continues behind the last eviction: a new iterator would pass all deleted entries. */
	private readonly oldestFirst = this.seen.keys();

	/** `stored` is the result of `toString`, if any; `bound` limits the number of keys. */
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

	/** Returns the status of a key. Compares states only if both are known. */
	statusOf(key: string, state?: string): SeenStatus {
		return this.statusOfHash(keyHash(key), state);
	}

	/** Returns the status of a key by its hash. */
	statusOfHash(hash: string, state?: string): SeenStatus {
		const known = this.seen.get(hash);
		if (known === undefined) return 'new';
		if (state === undefined || known === noState) return 'known';
		return known === stateHash(state) ? 'known' : 'changed';
	}

	/** Adds a key with its state, as the most recently seen. */
	add(key: string, state?: string): void {
		this.addHash(keyHash(key), state);
	}

	/** Adds a key by its hash. */
	addHash(hash: string, state?: string): void {
		this.put(hash, stateHash(state));
	}

	/** Adds all keys of another set, as more recently seen than its own. */
	addAll(other: SeenSet): void {
		for (const [hash, state] of other.seen) this.put(hash, state);
	}

	/** The hashes of all keys, the least recently seen first. */
	get hashes(): string[] {
		return [...this.seen.keys()];
	}

	/** Deletes a key by its hash. */
	forget(hash: string): void {
		this.seen.delete(hash);
	}

	private put(hash: string, state: string): void {
		this.seen.delete(hash);
		this.seen.set(hash, state);
		if (this.seen.size <= this.bound) return;
		const oldest = this.oldestFirst.next();
		if (!oldest.done) this.seen.delete(oldest.value);
	}

	/** Deletes all states but no keys, for when states change their meaning. */
	forgetStates(): void {
		for (const key of this.seen.keys()) this.seen.set(key, noState);
	}

	toString(): string {
		return [...this.seen].map(([key, state]) => key + state).join('');
	}
}
