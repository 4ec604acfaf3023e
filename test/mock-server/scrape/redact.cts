import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';

type Redaction = Exclude<ScrapeOptions['redactPII'], boolean | undefined>;
type Entity = NonNullable<Redaction['entities']>[number];

/**
 * What a pattern can find: a phone number by its country or area code, a person by a title before the
 * name. Places would take a language model.
 */
const patterns: ReadonlyArray<[Entity, RegExp]> = [
	['EMAIL', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
	['SECRET', /\b(?:sk|fc|ghp|key)[-_][A-Za-z0-9]{12,}\b/g],
	['FINANCIAL', /\b(?:[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}|\d{4}(?:[ -]\d{4}){3})\b/g],
	['PHONE', /(?:\+\d{1,3}|\(\d{2,4}\))(?:[ .-]\d{2,5}){1,5}(?![\w-])/g],
	['PERSON', /\b(?:Mr|Mrs|Ms|Dr|Prof)\.? [A-Z]\p{L}+(?: [A-Z]\p{L}+)?/gu],
];

/** Replaces personal data in a text; `true` is every entity, as tags. */
export function redact(text: string, option: true | Redaction): string {
	const { entities, replaceStyle = 'tag' } = option === true ? {} : option;
	const wanted = patterns.filter(([entity]) => !entities || entities.includes(entity));
	return wanted.reduce(
		(result, [entity, pattern]) =>
			result.replace(pattern, (found) => {
				if (replaceStyle === 'remove') return '';
				return replaceStyle === 'mask' ? '*'.repeat(found.length) : `<${entity}>`;
			}),
		text,
	);
}
