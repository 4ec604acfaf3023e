import { eachInTurns } from '../host/turns';
import { cutText } from '../values/text';
import type { Candidate } from './rank';
import { eachTerm } from './terms';
import type { Unit } from './units';

/** The parts of a page that match, in its order, below the headings above them. */
export interface Excerpt {
	/** Index of the page. */
	page: number;
	text: string;
}

/** The total size of excerpts. */
export interface Budget {
	most: number;
	/** Measures a text. */
	sizeOf(text: string): number;
	/** Size of the fields around the excerpt of a page. */
	perPage(page: number): number;
}

/** Share of common terms above which two units are duplicates. */
const likeness = 0.8;

/** Units that a unit is compared with: those of nearly equal rank. */
const mostCompared = 20;

/** Characters processed in the time that a comparison takes. */
const workToCompare = 20;

/** A size too small for most units. */
const smallSize = 20;

function termSetOf(text: string): Set<string> {
	const terms = new Set<string>();
	eachTerm(text, (term) => terms.add(term));
	return terms;
}

/** Whether two texts have most of their terms in common. */
function isAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
	const [few, many] = one.size < other.size ? [one, other] : [other, one];
	if (few.size < likeness * many.size) return false;
	let common = 0;
	for (const term of few) if (many.has(term)) common += 1;
	return common >= likeness * (one.size + other.size - common);
}

/** Mark of an omitted part. */
const gap = '\n\n[…]\n\n';

/** The headings of a unit from a level on, as Markdown, and the head of its table. */
function headOf({ headings, tableHead }: Unit, from: number): string {
	const lines = headings
		.slice(from)
		.map((title, place) => `${'#'.repeat(from + place + 1)} ${title}`);
	return [...lines, ...(tableHead === undefined ? [] : [tableHead])].join('\n');
}

/** The number of headings that two units have in common. */
function commonHeadings(one: Unit | undefined, other: Unit): number {
	let common = 0;
	while (common < other.headings.length && one?.headings[common] === other.headings[common]) {
		common += 1;
	}
	return common;
}

/** Joins units in their order, each heading once, with marks where others are omitted. */
function excerptOf(units: ReadonlyMap<number, Unit>): string {
	let text = '';
	let last: { index: number; unit: Unit } | undefined;
	for (const [index, unit] of [...units].sort(([one], [other]) => one - other)) {
		const isNext = last?.index === index - 1;
		if (last?.unit.section === unit.section) {
			text += (isNext || unit.tableHead !== undefined ? unit.joint : gap) + unit.text;
		} else {
			const head = headOf(unit, commonHeadings(last?.unit, unit));
			text +=
				(text === '' ? '' : isNext || head !== '' ? '\n\n' : gap) +
				(head === '' ? '' : `${head}\n`) +
				unit.text;
		}
		last = { index, unit };
	}
	return text.trim();
}

/** Names of a unit's section, and of each heading with those above it. */
const namesAbove = (page: number, { section, headings }: Unit): string[] => [
	`${page} ${section}`,
	...headings.map((_, level) => `${page} ${headings.slice(0, level + 1).join('\n')}`),
];

/** The units taken of each page, the page with the best one first. */
class Selection {
	private readonly pages = new Map<number, Map<number, Unit>>();
	/** The sections of taken units, and each heading above them. */
	private readonly above = new Set<string>();
	private left: number;

	constructor(private readonly budget: Budget) {
		this.left = budget.most;
	}

	get isEmpty(): boolean {
		return this.pages.size === 0;
	}

	get isFull(): boolean {
		return !this.isEmpty && this.left < smallSize;
	}

	get excerpts(): Excerpt[] {
		return [...this.pages].map(([page, units]) => ({ page, text: excerptOf(units) }));
	}

	fits(candidate: Candidate): boolean {
		return this.costOf(candidate) <= this.left;
	}

	/** Takes a unit, or what is left of it. */
	take(candidate: Candidate, unit = candidate.units[candidate.index]): void {
		const { page, index } = candidate;
		this.left -= this.costOf(candidate, unit);
		this.pages.set(page, (this.pages.get(page) ?? new Map<number, Unit>()).set(index, unit));
		for (const name of namesAbove(page, unit)) this.above.add(name);
	}

	/** Takes the units before and after a taken one that fit. */
	takeNeighbours({ page, units, index, score }: Candidate): void {
		if (!this.has(page, index)) return;
		for (const neighbour of [index + 1, index - 1]) {
			if (units[neighbour]?.section !== units[index].section || this.has(page, neighbour)) continue;
			const candidate = { page, units, index: neighbour, score };
			if (this.fits(candidate)) this.take(candidate);
		}
	}

	/**
	 * Takes a truncated unit, without its headings and table head if these take most of the budget.
	 */
	takeBeginning(candidate: Candidate): void {
		const unit = candidate.units[candidate.index];
		const { text } = unit;
		const size = this.budget.sizeOf(text);
		const alone: Unit = { text, headings: [], joint: '', section: unit.section };
		const available = (one: Unit) => this.left - this.overhead(candidate, one) - smallSize;
		const isAlone =
			size > available(unit) &&
			(size <= available(alone) || available(unit) < available(alone) / 2);
		const taken = isAlone ? alone : unit;
		const length = Math.floor((text.length * available(taken)) / size);
		if (length <= 0) return;
		const cut = cutText(text, length, (missing) => `[… ${missing} more characters]`);
		this.take(candidate, { ...taken, text: cut });
	}

	private has(page: number, index: number): boolean {
		return this.pages.get(page)?.has(index) === true;
	}

	private costOf(candidate: Candidate, unit = candidate.units[candidate.index]): number {
		return this.budget.sizeOf(unit.text) + this.overhead(candidate, unit);
	}

	/** Size of what a unit adds besides its text. */
	private overhead({ page, index }: Candidate, unit: Unit): number {
		const taken = this.pages.get(page);
		const { section } = unit;
		const isNext = [index - 1, index + 1].some((next) => taken?.get(next)?.section === section);
		const { sizeOf, perPage } = this.budget;
		if (isNext) return sizeOf(unit.joint);
		const [name, ...headings] = namesAbove(page, unit);
		const shown = headings.filter((heading) => this.above.has(heading)).length;
		const head = this.above.has(name) ? '' : headOf(unit, shown);
		return (taken ? 0 : perPage(page)) + sizeOf(head === '' ? gap : `\n\n${head}\n`);
	}
}

/**
 * Selects the best units that fit the budget, without duplicates, and then their neighbours.
 */
export async function select(candidates: readonly Candidate[], budget: Budget): Promise<Excerpt[]> {
	const selection = new Selection(budget);
	const known: Array<Set<string>> = [];
	await eachInTurns(candidates, (candidate) => {
		if (selection.isFull) return 0;
		const { text } = candidate.units[candidate.index];
		const work = text.length + workToCompare;
		if (!selection.fits(candidate)) return work;
		const terms = termSetOf(text);
		if (known.slice(-mostCompared).some((other) => isAlike(terms, other))) return work;
		known.push(terms);
		selection.take(candidate);
		return work;
	});
	await eachInTurns(candidates, (candidate) => {
		if (selection.isFull) return 0;
		selection.takeNeighbours(candidate);
		return workToCompare;
	});
	if (selection.isEmpty && candidates.length > 0) selection.takeBeginning(candidates[0]);
	return selection.excerpts;
}
