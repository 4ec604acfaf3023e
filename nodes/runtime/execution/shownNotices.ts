import { cutLine } from '../values/cutText';

/** Characters of a notice that are shown; most quote the service, which quotes what it has read. */
const longestNotice = 1_000;

/** Characters of a notice that are looked through for secrets: far more than are shown, so that one which this cuts in two is not shown. */
const mostScanned = 10 * longestNotice;

/** Notices of an execution that are shown. */
const mostNotices = 100;

/** The notices of an execution as people and models read them: without secrets, each and all of them bounded. */
export function shownNotices(
	notices: ReadonlySet<string>,
	redact: (text: string) => string,
): string[] {
	const shown = [...notices]
		.slice(0, mostNotices)
		.map((notice) => cutLine(redact(notice.slice(0, mostScanned)), longestNotice));
	const left = notices.size - shown.length;
	return left === 0 ? shown : [...shown, `… and ${left} more notices.`];
}
