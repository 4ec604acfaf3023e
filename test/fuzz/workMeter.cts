import crypto from 'node:crypto';
import type { Findings } from './findings.cjs';

/** Functions of texts that go over them once. */
const textFunctions = [
	'lastIndexOf',
	'match',
	'matchAll',
	'normalize',
	'replace',
	'replaceAll',
	'search',
	'split',
	'toLowerCase',
	'toUpperCase',
	Symbol.iterator,
] as const;

/** Functions of lists that go over them once, to their end. */
const listFunctions = [
	'concat',
	'filter',
	'flat',
	'flatMap',
	'forEach',
	'includes',
	'indexOf',
	'join',
	'map',
	'reduce',
	'reverse',
	'slice',
	'sort',
	'splice',
	'unshift',
] as const;

/** Functions of lists that end at the entry that they look for. */
const searches = ['every', 'find', 'findIndex', 'findLast', 'findLastIndex', 'some'] as const;

const patternFunctions = [
	'exec',
	'test',
	Symbol.match,
	Symbol.matchAll,
	Symbol.replace,
	Symbol.search,
	Symbol.split,
] as const;

/** How many times the most that may be done is done before it is broken off. */
const patience = 2;

/** A line of a stack in the nodes, or in what the fuzz runs plant there; not one that only awaits what is done. */
const ourLine = /^\s+at (?!async ).*[\\/](nodes|fuzz)[\\/](?!workMeter)/m;

/** Whether it is the node that works, or what it calls; jest looks for source maps while modules load. */
const isNodes = ({ stack = '' }: Error): boolean =>
	ourLine.test(stack) && !/node_modules[\\/](@jest|jest-|source-map)/.test(stack);

/** A function of JavaScript's own. */
type Native = (this: unknown, ...given: unknown[]) => unknown;

/**
 * Counts work instead of timing it: the characters, bytes and entries that JavaScript's own functions go
 * over, in this realm. That each pattern is linear, `npm run check` holds. Work that does not end by itself
 * is broken off.
 */
export class WorkMeter {
	/** Characters, bytes and entries. */
	work = 0;
	/** HMACs and hashes that were begun. */
	digests = 0;
	private most: () => number = () => Infinity;
	private isCounting = false;
	private nextLook = 0;
	private runaway?: string;
	private readonly undo: Array<() => void> = [];

	/** Begins to count. `most` says how much may be done so far; at twice as much it throws. */
	start(most: () => number): void {
		this.stop();
		Object.assign(this, { work: 0, digests: 0, nextLook: 0, most, runaway: undefined });
		this.patchTexts();
		this.patchPatterns();
		this.patchLists();
		this.patchJson();
		this.patchDigests();
		this.isCounting = true;
	}

	stop(): void {
		// What stops the counting is not counted, let alone broken off.
		this.isCounting = false;
		for (const restore of this.undo.splice(0).reverse()) restore();
	}

	/** Does what is no part of what is looked at. */
	uncounted<Value>(work: () => Value): Value {
		const { isCounting } = this;
		this.isCounting = false;
		try {
			return work();
		} finally {
			this.isCounting = isCounting;
		}
	}

	/** Whether more was done than may be. */
	findings(what: string): Findings {
		const { work, runaway } = this;
		const most = this.most();
		if (runaway !== undefined) return [`work without end on ${what}: ${runaway}`];
		return work > most ? [`too much work on ${what}: ${work}, where ${most} is the most`] : [];
	}

	private readonly add = (amount: number, what: string): void => {
		if (!this.isCounting) return;
		this.work += amount;
		if (this.work <= this.nextLook) return;
		if (this.work <= this.most() * patience) return;
		// To look costs more than to count: the next time when a tenth more was done.
		this.nextLook = this.work * 1.1;
		this.runaway ??= `${what}, ${this.work} in all`;
		const broken = new Error(`Broken off: ${this.runaway}`);
		if (this.isOurs(broken)) throw broken;
	};

	/** Whether it is the node that works: broken off in others' code, its work would never come to an end. */
	private isOurs(error: Error): boolean {
		return this.uncounted(() => isNodes(error));
	}

	private patch(owner: object, name: PropertyKey, make: (before: Native) => Native): void {
		const before = Object.getOwnPropertyDescriptor(owner, name);
		if (typeof before?.value !== 'function') throw new Error(`No function ${String(name)}`);
		Object.defineProperty(owner, name, { ...before, value: make(before.value as Native) });
		this.undo.push(() => void Object.defineProperty(owner, name, before));
	}

	private patchTexts(): void {
		const { add } = this;
		const ownLength = (text: unknown) => (typeof text === 'string' ? text.length : 0);
		for (const name of textFunctions) {
			this.patch(
				String.prototype,
				name,
				(before) =>
					function (...given) {
						// A pattern is counted by its own function, and a limited split by what it gives.
						const isCounted = typeof given[0] === 'object' && given[0] !== null;
						const isLimited = name === 'split' && given[1] !== undefined;
						if (!isCounted && !isLimited) add(ownLength(this), String(name));
						return Reflect.apply(before, this, given);
					},
			);
		}
		for (const name of ['trim', 'trimEnd', 'trimStart'] as const) {
			this.patch(
				String.prototype,
				name,
				(before) =>
					function (...given) {
						const trimmed = Reflect.apply(before, this, given);
						add(ownLength(this) - ownLength(trimmed), name);
						return trimmed;
					},
			);
		}
		for (const name of ['indexOf', 'includes'] as const) {
			const { indexOf } = String.prototype;
			this.patch(
				String.prototype,
				name,
				(before) =>
					function (...given) {
						const from = Number(given[1] ?? 0);
						const at: number = Reflect.apply(indexOf, this, given);
						add(at < 0 ? Math.max(0, ownLength(this) - from) : at - from, name);
						return Reflect.apply(before, this, given);
					},
			);
		}
	}

	private patchPatterns(): void {
		const { add } = this;
		let inside = false;
		for (const name of patternFunctions) {
			this.patch(
				RegExp.prototype,
				name,
				(before) =>
					function (...given) {
						const text = given[0];
						if (inside || typeof text !== 'string' || !(this instanceof RegExp)) {
							return Reflect.apply(before, this, given);
						}
						const from = this.global || this.sticky ? this.lastIndex : 0;
						const length = Math.max(0, text.length - from);
						inside = true;
						try {
							const found = Reflect.apply(before, this, given);
							add(scanned(found, from, length), String(this));
							return found;
						} finally {
							inside = false;
						}
					},
			);
		}
		/** How far a pattern went, where its result tells. */
		const scanned = (found: unknown, from: number, length: number): number => {
			const index: unknown = Array.isArray(found) ? Reflect.get(found, 'index') : undefined;
			return typeof index === 'number' ? Math.max(0, index - from) + String(found).length : length;
		};
	}

	private patchLists(): void {
		const { add } = this;
		for (const name of listFunctions) {
			this.patch(
				Array.prototype,
				name,
				(before) =>
					function (...given) {
						add(Number(Reflect.get(Object(this), 'length')), String(name));
						return Reflect.apply(before, this, given);
					},
			);
		}
		for (const name of searches) {
			this.patch(
				Array.prototype,
				name,
				(before) =>
					function (test, ...given) {
						const counted: Native = function (...each) {
							add(1, name);
							return Reflect.apply(test as Native, this, each);
						};
						return Reflect.apply(before, this, [counted, ...given]);
					},
			);
		}
		for (const name of [
			'entries',
			'keys',
			'values',
			'fromEntries',
			'getOwnPropertyNames',
		] as const) {
			this.patch(
				Object,
				name,
				(before) =>
					function (...given) {
						const made = Reflect.apply(before, this, given);
						add(Array.isArray(made) ? made.length : 0, `Object.${name}`);
						return made;
					},
			);
		}
	}

	private patchJson(): void {
		const { add } = this;
		const lengthOf = (text: unknown) => (typeof text === 'string' ? text.length : 0);
		this.patch(
			JSON,
			'parse',
			(before) =>
				function (...given) {
					add(lengthOf(given[0]), 'JSON.parse');
					return Reflect.apply(before, this, given);
				},
		);
		this.patch(
			JSON,
			'stringify',
			(before) =>
				function (...given) {
					const text = Reflect.apply(before, this, given);
					add(lengthOf(text), 'JSON.stringify');
					return text;
				},
		);
		for (const name of ['encodeURIComponent', 'decodeURIComponent', 'encodeURI'] as const) {
			this.patch(
				globalThis,
				name,
				(before) =>
					function (...given) {
						add(lengthOf(given[0]), name);
						return Reflect.apply(before, this, given);
					},
			);
		}
	}

	private patchDigests(): void {
		const { add } = this;
		const countDigest = () => {
			this.digests += 1;
		};
		for (const name of ['createHash', 'createHmac'] as const) {
			this.patch(
				crypto,
				name,
				(before) =>
					function (...given) {
						countDigest();
						const digest = Object(Reflect.apply(before, this, given));
						const update: Native = digest.update.bind(digest);
						return Object.assign(digest, {
							update: (...data: unknown[]) => {
								add(Number(Reflect.get(Object(data[0]), 'length') ?? 0), name);
								return update(...data);
							},
						});
					},
			);
		}
	}
}
