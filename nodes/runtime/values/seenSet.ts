import { hash } from 'node:crypto';

const keyLength = 11;

/** Hashes a text to `length` characters of 6 bits each. */
export const fingerprint = (text: string, length: number): string =>
	hash('sha256', text, 'base64url').slice(0, length);

/** The hash that represents a key. */
export const keyHash = (key: string): string => fingerprint(key, keyLength);

/** A bounded set of keys, the last seen ones, in n8n's static data in 11 characters each: 66 bits of its hash. */
export class SeenSet {
	private readonly seen = new Set<string>();

	/** `stored` is the result of `toString`, if any; `bound` limits the number of keys. */
	constructor(
		stored: unknown,
		private readonly bound: number,
	) {
		const text = typeof stored === 'string' ? stored : '';
		const count = Math.floor(text.length / keyLength);
		for (let index = Math.max(0, count - bound); index < count; index += 1)
			this.seen.add(text.slice(index * keyLength, (index + 1) * keyLength));
	}

	has(key: string): boolean {
		return this.seen.has(keyHash(key));
	}

	/** Adds a key as the most recently seen. */
	add(key: string): void {
		this.put(keyHash(key));
	}

	/** Adds all keys of another set, as more recently seen than its own. */
	addAll(other: SeenSet): void {
		for (const hash of other.seen) this.put(hash);
	}

	private put(hash: string): void {
		this.seen.delete(hash);
		this.seen.add(hash);
		for (const oldest of this.seen) {
			if (this.seen.size <= this.bound) return;
			this.seen.delete(oldest);
		}
	}

	toString(): string {
		return [...this.seen].join('');
	}
}
