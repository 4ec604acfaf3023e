import type { Findings } from './findings.cjs';

/** Functions of texts that go over them once. */
const textFunctions = [
	...(['lastIndexOf', 'match', 'matchAll', 'normalize', 'replace', 'replaceAll'] as const),
	...(['search', 'toLowerCase', 'toUpperCase', Symbol.iterator] as const),
];

/** Functions of lists that go over them once, to their end. */
const listFunctions = [
	...['concat', 'filter', 'flat', 'flatMap', 'forEach', 'includes', 'indexOf', 'join'],
	...['map', 'reduce', 'reverse', 'slice', 'sort', 'splice', 'unshift'],
];

/** Functions of lists that end at the entry that they look for. */
const searches = ['every', 'find', 'findIndex', 'findLast', 'findLastIndex', 'some'];

const patternFunctions = [
	...['exec', 'test'],
	...[Symbol.match, Symbol.matchAll, Symbol.replace, Symbol.search, Symbol.split],
];

/** How many times the most that may be done is done before it is broken off. */
const patience = 2;

/** A line of a stack in the nodes, or in what the fuzz runs plant there; not one that only awaits what is done. */
const ourLine = /^\s+at (?!async ).*[\\/](nodes|fuzz)[\\/](?!workMeter)/m;

/** Whether it is the node that works, or what it calls; jest looks for source maps while modules load. */
const isNodes = ({ stack = '' }: Error): boolean =>
	ourLine.test(stack) && !/node_modules[\\/](@jest|jest-|source-map)/.test(stack);

/** A function of JavaScript's own. */
type Native = (this: unknown, ...given: unknown[]) => unknown;

/** What one call of such a function goes over, by the length of its `this` before the call. */
type Cost = (length: number, given: unknown[], result: unknown, self: unknown) => number;

const lengthOf = (value: unknown): number => Number(Reflect.get(Object(value), 'length') ?? 0);
const textLength = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

/** How far a pattern went, where its result tells. */
function scanned(found: unknown, from: number, length: number): number {
	const index: unknown = Array.isArray(found) ? Reflect.get(found, 'index') : undefined;
	return typeof index === 'number' ? Math.max(0, index - from) + String(found).length : length;
}

/** Counts the characters and entries that JavaScript's own functions go over, instead of time, and breaks off what does not end. `npm run check` holds that patterns are linear. */
export class WorkMeter {
	/** Characters, bytes and entries. */
	work = 0;
	private most: () => number = () => Infinity;
	private isCounting = false;
	private nextLook = 0;
	private runaway?: string;
	private readonly undo: Array<() => void> = [];

	/** Begins to count. `most` says how much may be done so far; at twice as much it throws. */
	start(most: () => number): void {
		this.stop();
		Object.assign(this, { work: 0, nextLook: 0, most, runaway: undefined });
		this.countTexts();
		this.countPatterns();
		this.countLists();
		this.countJson();
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
		if (this.work <= this.nextLook || this.work <= this.most() * patience) return;
		// To look costs more than to count: the next time when a tenth more was done.
		this.nextLook = this.work * 1.1;
		this.runaway ??= `${what}, ${this.work} in all`;
		const broken = new Error(`Broken off: ${this.runaway}`);
		// In others' code, work that is broken off would never come to an end.
		if (this.uncounted(() => isNodes(broken))) throw broken;
	};

	private patch(owner: object, name: PropertyKey, make: (before: Native) => Native): void {
		const before = Object.getOwnPropertyDescriptor(owner, name);
		if (typeof before?.value !== 'function') throw new Error(`No function ${String(name)}`);
		Object.defineProperty(owner, name, { ...before, value: make(before.value as Native) });
		this.undo.push(() => void Object.defineProperty(owner, name, before));
	}

	/** Counts what each call of these functions costs. */
	private count(owner: object, names: readonly PropertyKey[], cost: Cost): void {
		const { add } = this;
		for (const name of names) {
			this.patch(
				owner,
				name,
				(before) =>
					function (...given) {
						const length = lengthOf(this);
						const result = Reflect.apply(before, this, given);
						add(cost(length, given, result, this), String(name));
						return result;
					},
			);
		}
	}

	private countTexts(): void {
		const { prototype } = String;
		const { indexOf } = prototype;
		// A pattern is counted by its own function.
		const ofText: Cost = (length, [by]) => (typeof by === 'object' && by !== null ? 0 : length);
		this.count(prototype, textFunctions, ofText);
		// A limited split ends with its last part.
		this.count(prototype, ['split'], (length, given, ...rest) =>
			given[1] === undefined ? ofText(length, given, ...rest) : 0,
		);
		this.count(prototype, ['trim', 'trimEnd', 'trimStart'], (length, _given, result) => {
			return length - textLength(result);
		});
		this.count(prototype, ['indexOf', 'includes'], (length, given, _result, self) => {
			const from = Number(given[1] ?? 0);
			const at: number = Reflect.apply(indexOf, self, given);
			return at < 0 ? Math.max(0, length - from) : at - from;
		});
	}

	private countPatterns(): void {
		const { add } = this;
		let isInside = false;
		for (const name of patternFunctions) {
			this.patch(
				RegExp.prototype,
				name,
				(before) =>
					function (...given) {
						const [text] = given;
						if (isInside || typeof text !== 'string' || !(this instanceof RegExp)) {
							return Reflect.apply(before, this, given);
						}
						const from = this.global || this.sticky ? this.lastIndex : 0;
						isInside = true;
						try {
							const found = Reflect.apply(before, this, given);
							add(scanned(found, from, Math.max(0, text.length - from)), String(this));
							return found;
						} finally {
							isInside = false;
						}
					},
			);
		}
	}

	private countLists(): void {
		const { add } = this;
		this.count(Array.prototype, listFunctions, (length) => length);
		this.count(
			Object,
			['entries', 'keys', 'values', 'getOwnPropertyNames'],
			(_length, _given, made) => lengthOf(made),
		);
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
	}

	private countJson(): void {
		const ofGiven: Cost = (_length, [text]) => textLength(text);
		this.count(JSON, ['parse'], ofGiven);
		this.count(JSON, ['stringify'], (_length, _given, text) => textLength(text));
		this.count(globalThis, ['encodeURIComponent', 'decodeURIComponent', 'encodeURI'], ofGiven);
	}
}
