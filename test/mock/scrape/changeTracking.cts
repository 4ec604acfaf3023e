import { createTwoFilesPatch, structuredPatch } from 'diff';

import type { Clock } from '../clock.cjs';
import type { FormatOf } from '../schemas/formats.cjs';
import type { Readable } from './readings.cjs';

interface Earlier {
	at: number;
	markdown: string;
}

/** Compares each scrape of an address with the team's previous one of the same tag. */
export class ChangeTracker {
	private readonly earlier = new Map<string, Earlier>();

	constructor(private readonly clock: Clock) {}

	/** The `changeTracking` field. A page that is gone is `removed`. */
	compare(
		teamId: string,
		url: string,
		gone: boolean,
		page: Readable,
		{ modes = [], tag = null }: FormatOf<'changeTracking'>,
	): Record<string, unknown> {
		const key = JSON.stringify([teamId, url, tag]);
		const before = this.earlier.get(key);
		const now: Earlier = { at: this.clock.now(), markdown: page.markdown };
		this.earlier.set(key, now);

		const changed = before && before.markdown !== now.markdown;
		return {
			previousScrapeAt: before ? new Date(before.at).toISOString() : null,
			changeStatus: gone ? 'removed' : before ? (changed ? 'changed' : 'same') : 'new',
			visibility: 'visible',
			...(changed &&
				modes.includes('git-diff') && { diff: lineDiff(before.markdown, now.markdown) }),
		};
	}

	clear(): void {
		this.earlier.clear();
	}
}

/** What differs between two texts, as a unified diff and parsed. */
export const lineDiff = (before: string, after: string) => ({
	text: createTwoFilesPatch('previous', 'current', before, after),
	json: {
		files: [
			{
				from: 'previous',
				to: 'current',
				chunks: structuredPatch('previous', 'current', before, after).hunks,
			},
		],
	},
});
