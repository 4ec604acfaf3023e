import {
	listSchema,
	ValidationFailure,
	separateLines,
	preview,
	stringSchema,
} from '../../runtime/form/schema';
import { field, type FieldTexts } from '../../runtime/form/field';
import { attempt } from '../../runtime/values/settle';

/** Flags at a pattern's beginning, such as (?i). JavaScript knows none there. */
const leadingFlags = /^\(\?[imsxuU-]+\)/;

const around = ['(?=', '(?!', '(?<=', '(?<!'];

/** Whether a pattern looks around or back at a group, which an engine of linear time cannot do. */
function looksAround(pattern: string): boolean {
	let isClass = false;
	for (let index = 0; index < pattern.length; index += 1) {
		const sign = pattern[index];
		if (sign === '\\') {
			index += 1;
			if (!isClass && /^[1-9k]/.test(pattern.slice(index, index + 1))) return true;
		} else if (isClass) {
			isClass = sign !== ']';
		} else if (sign === '[') {
			isClass = true;
		} else if (around.some((opening) => pattern.startsWith(opening, index))) {
			return true;
		}
	}
	return false;
}

/** Whether text that is no regular expression is a glob, whose stars stand for any characters. */
const isGlob = (value: string) => value.trim().startsWith('*') || value.includes('**');

/** Which patterns for paths are taken. */
export interface PatternKind {
	/** Whether flags may stand at the beginning. */
	flags?: boolean;
}

/** A regular expression that compiles, and that the service's engine can run (docs/api-notes.md, Requests). */
const pathPattern = ({ flags = false }: PatternKind) =>
	stringSchema({
		max: 2_000,
		normalize: (value) => {
			const pattern = flags ? value.replace(leadingFlags, '') : value;
			if (!attempt(() => new RegExp(pattern)).ok) {
				return new ValidationFailure(
					isGlob(value)
						? `must be a regular expression such as .*\\.pdf, not the glob ${preview(value)}`
						: `must be a regular expression, not ${preview(value)}`,
				);
			}
			return looksAround(value)
				? new ValidationFailure(
						`must not have lookahead, lookbehind or backreferences, which the server does not support, not ${preview(value)}`,
					)
				: value;
		},
	});

/** Patterns for paths as a list, or as lines of text: a comma may belong to one. */
const pathPatterns = (kind: PatternKind) =>
	listSchema(pathPattern(kind), { max: 1_000, separate: separateLines });

/** Which pages are meant, by patterns for their paths, one a line. */
export const paths = (about: FieldTexts, kind: PatternKind = {}) =>
	field({ ...about, type: 'string', default: '', typeOptions: { rows: 2 } }, pathPatterns(kind));
