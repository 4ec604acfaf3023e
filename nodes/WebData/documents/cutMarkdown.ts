import { cutText } from '../../runtime/values/cutText';
import { maxDepth } from '../../runtime/values/json';
import { isRecord } from '../../runtime/values/record';
import { isUnparsedPdf } from './unparsedPdf';

const markdownMark = (missing: number) =>
	`[… cut here, ${missing} more characters; raise 'Max Markdown Length' to get them]`;

/** The same value with every text under a key `markdown` cut, at any depth that an answer has; a cut file could not be opened. */
export function cutMarkdown(value: unknown, max: number, levels = 2 * maxDepth): unknown {
	if (levels === 0) return value;
	if (Array.isArray(value)) return value.map((entry) => cutMarkdown(entry, max, levels - 1));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [
			key,
			key === 'markdown' && typeof member === 'string' && !isUnparsedPdf(member, value)
				? cutText(member, max, markdownMark)
				: cutMarkdown(member, max, levels - 1),
		]),
	);
}
