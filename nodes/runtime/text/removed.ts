import { pluralize } from '../values/pluralize';

type Kind =
	| 'invisible character'
	| 'comment'
	| 'hidden element'
	| 'embedded file'
	| 'tracking image';

/** Counts what is removed from texts of the web, by its kind. */
export class Removed {
	private characters = 0;
	private readonly counts = new Map<Kind, number>();

	/** Counts one of a kind, that had so many characters. */
	add(kind: Kind, characters: number): void {
		this.characters += characters;
		this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
	}

	/** A line that says how much was removed; none where nothing was. */
	get notes(): string[] {
		if (this.counts.size === 0) return [];
		const kinds = [...this.counts].map(([kind, count]) => pluralize(count, kind));
		const size = pluralize(this.characters, 'character');
		return [`'Mark as Untrusted' removed ${kinds.join(', ')} (${size}).`];
	}
}

/** A part of a text that is removed. */
export interface Cut {
	kind: Kind;
	from: number;
	to: number;
}

/** A text without parts of it, which are counted. They stand in the order of the text. */
export function withoutCuts(text: string, cuts: readonly Cut[], removed: Removed): string {
	let rest = '';
	let done = 0;
	for (const { kind, from, to } of cuts) {
		rest += text.slice(done, from);
		done = to;
		removed.add(kind, to - from);
	}
	return rest + text.slice(done);
}
