import { z } from 'zod/v3';
import { endpoint } from '../../runtime/http/endpoint';
import {
	boolean,
	field,
	integer,
	list,
	notSent,
	onlyFor,
	required,
	string,
	textField,
	type Shown,
} from '../../runtime/form/field';
import {
	check,
	isMeantAsJson,
	isOn,
	notJson,
	preview,
	stringSchema,
	ValidationFailure,
	type Schema,
} from '../../runtime/form/schema';
import { fromJson } from '../../runtime/values/json';
import { parseUrl } from '../../runtime/values/text';
import { isRecord } from '../../runtime/values/record';

/** Scrapes a page, or runs data tools (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
export const scrapePage = endpoint('POST', '/scrape', 'scrape', 'mayChargeTwice');

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An ID of the service, a UUID. */
export const uuid = () =>
	stringSchema({
		normalize: (value) => {
			const id = value.trim().toLowerCase();
			return pattern.test(id)
				? id
				: new ValidationFailure(
						`must be an ID such as 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b, not ${preview(value)}`,
					);
		},
	});

/** The ID of a record of the service. */
export const id = (displayName: string, description: string, shown: Shown = {}) =>
	textField(displayName, description, uuid(), shown);

/** An example of an ID. */
export const exampleId = 'e.g. 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

/** The job of an operation. */
export const jobId = (description: string, displayName = 'Job ID') =>
	required(id(displayName, description, { placeholder: exampleId }));

/** Validates a segment of a path: no `.` or `..` and no half of a character, which no encoding makes safe. */
function pathStep(value: string, noun: string): string | ValidationFailure {
	if (/^\.+$/.test(value)) return new ValidationFailure(`must be ${noun}, not dots alone`);
	if (/[\uD800-\uDFFF]/u.test(value)) {
		return new ValidationFailure(`must be ${noun}, and holds half a character (a lone surrogate)`);
	}
	return value;
}

/** An ID of any form for a path. */
export const pathId = (max: number) =>
	stringSchema({ max, normalize: (value) => pathStep(value.trim(), 'an ID') });

/** A resource to pick from the service's list, by the node's search of this name under `listSearch`, or by its ID. */
export const recordPicker = (
	displayName: string,
	description: string,
	searchListMethod: string,
	schema: Schema<string>,
) =>
	field(
		{
			displayName,
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: `Select a ${displayName.toLowerCase()}...`,
					typeOptions: { searchListMethod, searchable: true },
				},
				{ displayName: 'By ID', name: 'id', type: 'string', placeholder: exampleId },
			],
			description,
		},
		// n8n's value of a resource locator; a plain ID stays unchanged.
		z.preprocess((value) => (isRecord(value) ? value.value : value), schema),
	);

interface Given {
	default: number;
	hint?: string;
	/** Omitted if the service has no maximum. */
	max?: number;
}

/** A limit without Return All, which would be too expensive. */
export const limitAlone = (description: string, given: Given) =>
	integer('Limit', description, { min: 1, ...given });

const returnAll = (initial: boolean) =>
	boolean('Return All', 'Whether to return all results or only up to a given limit', {
		default: initial,
	});

/** Return All, and the limit if it is off. n8n's usual 50 is too many where results are paid for. */
export const limit = ({
	all = false,
	...given
}: Given & {
	/** Whether Return All is on by default: if more results cost nothing more. */
	all?: boolean;
}) => ({
	returnAll: notSent(returnAll(all)),
	limit: onlyFor('returnAll', false, limitAlone('Max number of results to return', given)),
});

/** Same as `limit`, with the service's maximum, which Return All requests. */
export const limitUpTo = (max: number, description: string, initial: number) => ({
	returnAll: notSent(returnAll(false)),
	limit: {
		...onlyFor('returnAll', false, limitAlone(description, { default: initial, max })),
		condition: undefined,
		read: ({ returnAll: all, limit: some }: Readonly<Record<string, unknown>>) =>
			isOn(all) ? max : some,
	},
});

const pairsOfTexts = z.array(
	z.object({ name: stringSchema(), value: stringSchema({ blank: true }) }),
);

/** Creates a schema for names with texts: an object, JSON text, or the editor's list of pairs. */
export const stringRecord = () =>
	check((value): Record<string, string> | ValidationFailure => {
		const given = fromJson(value);
		if (isMeantAsJson(given)) return new ValidationFailure(notJson(given));
		const isList = Array.isArray(given);
		if (!isList && !isRecord(given))
			return new ValidationFailure('must be an object of names and texts');
		const pairs: unknown[] = isList
			? given
			: Object.entries(given).map(([name, content]) => ({ name, value: content }));
		const texts = pairsOfTexts.safeParse(pairs);
		if (!texts.success) return new ValidationFailure('must have a name and a text in every entry');
		return Object.fromEntries(texts.data.map((pair) => [pair.name, pair.value]));
	});

/** Name and value pairs, as a list of collections: in a menu, a fixed collection would open without an entry. */
export const pairs = (displayName: string, description: string, button: string) =>
	field(
		{
			displayName,
			description,
			type: 'collection',
			typeOptions: { multipleValues: true, multipleValueButtonText: button },
			placeholder: 'Add Field',
			default: { name: '', value: '' },
			options: [
				{ displayName: 'Name', name: 'name', type: 'string', default: '' },
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
		stringRecord(),
	);

/** A hostname in ASCII: other letters become Punycode. */
function asciiHost(name: string): string {
	if (!/[^\0-\x7f]/.test(name) || /[\s/?#@:%\\]/.test(name)) return name;
	return parseUrl(`http://${name}`)?.hostname ?? name;
}

const hostname = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** Normalizes scheme, case, final slash and non-ASCII letters; rejects a path, query or port. */
function normalizeDomain(value: string): string | ValidationFailure {
	const bare = value
		.trim()
		.toLowerCase()
		.replace(/^https?:\/\//, '')
		.replace(/\/$/, '');
	if (/[/?#:]/.test(bare)) {
		return new ValidationFailure(
			`must be a domain such as example.com without path or port, not ${preview(value)}`,
		);
	}
	const name = asciiHost(bare);
	return hostname.test(name)
		? name
		: new ValidationFailure(`must be a domain such as example.com, not ${preview(value)}`);
}

/** Hostnames to include or exclude in a search (https://docs.firecrawl.dev/features/search). */
export const domains = (displayName: string, description: string, { max }: { max?: number } = {}) =>
	list(displayName, description, {
		max,
		emptyIsUnset: true,
		entry: stringSchema({ normalize: normalizeDomain }),
		placeholder: 'e.g. example.com, example.org',
	});

/** The search query. */
export const queryField = (description: string, given: Shown & { max?: number }) =>
	required(string('Query', description, given));

/** The names of countries in lower case with their codes, in the languages in which most users write. */
function namedCodes(): Array<[string, string]> {
	const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
	const codes = letters
		.flatMap((first) => letters.map((second) => first + second))
		// Former codes are other names of today's.
		.filter((code) => new Intl.Locale('und', { region: code }).region === code);
	const names = ['en', 'de', 'es', 'fr', 'pt'].map(
		(language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
	);
	return names.flatMap((each) =>
		codes.flatMap((code): Array<[string, string]> => {
			const name = each.of(code);
			return name === undefined ? [] : [[name.toLowerCase(), code]];
		}),
	);
}

/** These names and codes, listed at the first country that is no code. */
let knownCodes: Array<[string, string]> | undefined;

/** Whether a text has the letters of another in their order, and begins with the same. */
function hasLetters(text: string, wanted: string): boolean {
	let at = 0;
	for (const letter of text) if (letter === wanted[at]) at += 1;
	return at === wanted.length && text.startsWith(wanted[0]);
}

/** The code of the country that is meant by a name, or by a code of three letters; undefined if unclear. */
function codeMeant(given: string): string | undefined {
	const text = given.toLowerCase();
	knownCodes ??= namedCodes();
	const named = knownCodes.filter(([name, code]) =>
		text.length === 3
			? hasLetters(text, code.toLowerCase()) && hasLetters(name, text)
			: name === text,
	);
	// Both AUS and AUT have the letters of AU: the end of AT is the end of AUT.
	const isSameEnd = ([, code]: [string, string]) => code.at(-1) === given.at(-1)?.toUpperCase();
	return (named.find(isSameEnd) ?? named.at(0))?.[1];
}

/** Normalizes a country to its code in capitals, UK to GB; names such as us-generic to lower case. */
function normalizeCountry(value: string): string | ValidationFailure {
	const given = value.trim();
	if (/^[a-z]{2}$/i.test(given)) return given.toUpperCase() === 'UK' ? 'GB' : given.toUpperCase();
	if (/^[a-z]{2}-[a-z]+$/i.test(given)) return given.toLowerCase();
	const meant = codeMeant(given);
	const hint = meant === undefined ? 'such as DE' : `probably ${meant}`;
	return new ValidationFailure(`must be a code of two letters, ${hint}, not ${preview(given)}`);
}

/** The country to search or to scrape from. */
export const country = (description: string) =>
	string('Country', description, { normalize: normalizeCountry, placeholder: 'e.g. DE' });
