import {
	listSchema,
	ValidationFailure,
	separateLines,
	preview,
	stringSchema,
} from '../../runtime/form/schema';
import { field, type FieldTexts } from '../../runtime/form/field';
import { attempt } from '../../runtime/values/settle';

/** Flags at a pattern's beginning, such as (?i), which JavaScript does not support. */
const leadingFlags = /^\(\?[imsxuU-]+\)/;

const around = ['(?=', '(?!', '(?<=', '(?<!'];

/**
 * Whether a pattern has lookarounds or backreferences, which an engine of linear time does not
 * support.
 */
function hasLookaround(pattern: string): boolean {
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

/**
 * Whether text that is not a regular expression is a glob, whose stars stand for any characters.
 */
const isGlob = (value: string) => value.trim().startsWith('*') || value.includes('**');

/** The accepted patterns for paths. */
export interface PatternKind {
	/** Whether they may begin with flags. */
	flags?: boolean;
}

/**
 * A regular expression that compiles and that the service's engine supports (docs/api-notes.md,
 * Requests).
 */
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
			return hasLookaround(value)
				? new ValidationFailure(
						`must not have lookahead, lookbehind or backreferences, which the server does not support, not ${preview(value)}`,
					)
				: value;
		},
	});

/** Patterns for paths as a list or as lines of text: a comma may belong to one. */
const pathPatterns = (kind: PatternKind) =>
	listSchema(pathPattern(kind), { max: 1_000, separate: separateLines });

/** The pages by patterns for their paths, one per line. */
export const paths = (about: FieldTexts, kind: PatternKind = {}) =>
	field({ ...about, type: 'string', default: '', typeOptions: { rows: 2 } }, pathPatterns(kind));
