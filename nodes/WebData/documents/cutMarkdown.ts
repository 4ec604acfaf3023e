import { cutText } from '../../runtime/values/cutText';
import { maxDepth } from '../../runtime/values/json';
import { isRecord } from '../../runtime/values/record';
import { isUnparsedPdf } from './unparsedPdf';

const markdownMark = (missing: number) =>
	`[… truncated, ${missing} more characters; raise 'Max Markdown Length' to get them]`;

/**
 * Truncates each field `markdown` of a value, at any depth of a response, except base64 files,
 * which a cut would corrupt.
 */
export function cutMarkdown(value: unknown, max: number, levels = 2 * maxDepth): unknown {
	if (levels === 0) return value;
	if (Array.isArray(value)) return value.map((entry) => cutMarkdown(entry, max, levels - 1));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, field]) => [
			key,
			key === 'markdown' && typeof field === 'string' && !isUnparsedPdf(field, value)
				? cutText(field, max, markdownMark)
				: cutMarkdown(field, max, levels - 1),
		]),
	);
}
