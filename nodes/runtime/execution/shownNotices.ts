import { cutLine } from '../values/text';

/** Longest notice, in characters; most quote the service. */
const longestNotice = 1_000;

/**
 * Characters of a notice that are redacted: far more than are shown, so that no secret is cut in
 * two.
 */
const mostScanned = 10 * longestNotice;

/** Most notices that an execution shows. */
const mostNotices = 100;

/** Redacts and limits the notices of an execution for users and models. */
export function shownNotices(
	notices: ReadonlySet<string>,
	redact: (text: string) => string,
): string[] {
	const shown = [...notices]
		.slice(0, mostNotices)
		.map((notice) => cutLine(redact(notice.slice(0, mostScanned)), longestNotice));
	const omitted = notices.size - shown.length;
	return omitted === 0 ? shown : [...shown, `… and ${omitted} more notices.`];
}
