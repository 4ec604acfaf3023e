import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';

type Redaction = Exclude<ScrapeOptions['redactPII'], boolean | undefined>;
type Entity = NonNullable<Redaction['entities']>[number];

/** What a pattern can find; names and places would take a language model. */
const patterns: ReadonlyArray<[Entity, RegExp]> = [
	['EMAIL', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
	['PHONE', /(?:\+\d{1,3}|\(\d{2,4}\))(?:[ .-]\d{2,5}){1,5}(?![\w-])/g],
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
