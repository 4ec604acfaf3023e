import { pluralize } from '../values/text';

type Kind =
	| 'invisible character'
	| 'comment'
	| 'hidden element'
	| 'embedded file'
	| 'tracking image';

/** Counts removed content by kind. */
export class Removed {
	private characters = 0;
	private readonly counts = new Map<Kind, number>();

	/** Counts one removal and its characters. */
	add(kind: Kind, characters: number): void {
		this.characters += characters;
		this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
	}

	/** A note of what was removed; empty if nothing was. */
	get notes(): string[] {
		if (this.counts.size === 0) return [];
		const kinds = [...this.counts].map(([kind, count]) => pluralize(count, kind));
		const size = pluralize(this.characters, 'character');
		return [`'Mark as Untrusted' removed ${kinds.join(', ')} (${size}).`];
	}
}

/** A part of a text to remove. */
export interface Cut {
	kind: Kind;
	from: number;
	to: number;
}

/** Removes parts of a text, in order, and counts them. */
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
