import type { IDataObject } from 'n8n-workflow';
import { deepest } from '../values/json';
import { isRecord, setMember } from '../values/record';
import { withoutInvisible } from './invisible';
import { withoutHidden } from './withoutHidden';

const embedded = '[embedded data left out]';

/** A text from the web without what a reader of it does not see. */
export function cleanedText(text: string, isHtml = false): string {
	if (/^\s*data:[a-z]+\/[\w.+-]+[;,]/i.test(text)) return embedded;
	return withoutHidden(withoutInvisible(text), isHtml);
}

/** A name that a record does not have yet, numbered where it has; `numbers` are those used so far. */
function unusedName(record: object, name: string, numbers: Map<string, number>): string {
	let unused = name;
	while (Object.hasOwn(record, unused)) {
		const number = (numbers.get(name) ?? 1) + 1;
		numbers.set(name, number);
		unused = `${name} (${number})`;
	}
	return unused;
}

/** A value from the web, all its texts and names cleaned; what lies deeper than an answer can is left as it is. */
function cleanedValue(
	value: unknown,
	htmlNames: ReadonlySet<string>,
	isHtml: boolean,
	levels: number,
): unknown {
	if (typeof value === 'string') return cleanedText(value, isHtml);
	if (levels === 0) return value;
	if (Array.isArray(value))
		return value.map((entry) => cleanedValue(entry, htmlNames, isHtml, levels - 1));
	if (!isRecord(value)) return value;
	const clean: IDataObject = {};
	const numbers = new Map<string, number>();
	for (const [name, member] of Object.entries(value)) {
		const clear = withoutInvisible(name);
		setMember(
			clean,
			unusedName(clean, clear, numbers),
			cleanedValue(member, htmlNames, htmlNames.has(name), levels - 1),
		);
	}
	return clean;
}

/**
 * A result without what nobody sees of it: invisible characters, comments, hidden elements, embedded and
 * tracking images. Texts of `htmlNames` are read as HTML, others as Markdown.
 */
export const cleaned = (json: IDataObject, htmlNames: ReadonlySet<string>): IDataObject =>
	cleanedValue(json, htmlNames, false, 2 * deepest) as IDataObject;
