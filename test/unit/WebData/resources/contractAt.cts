import { z, type ZodType, type ZodTypeDef } from 'zod/v3';

type Contract = ZodType<unknown, ZodTypeDef, unknown>;

/** A member that no contract knows. */
const stranger = '?';

/** An object that only holds what no contract knows: where it comes by, its reader is known. */
export const strangerAlone = { [stranger]: 1 };

/** The object that reads `strangerAlone` in a request: how `parse` is made inside does not matter. Undefined when none does. */
export function readerIn(
	parse: (request: unknown) => unknown,
	request: unknown,
): z.AnyZodObject | undefined {
	const reading = jest.spyOn(z.ZodObject.prototype, '_parse');
	try {
		parse(request);
	} catch {
		// It refuses the request: what matters is how far it came.
	}
	const at = reading.mock.calls.findIndex(([{ data }]) => Object.hasOwn(Object(data), stranger));
	const reader: unknown = reading.mock.contexts[at];
	reading.mockRestore();
	return reader instanceof z.ZodObject ? reader : undefined;
}

/** The object of a contract that reads `strangerAlone` in a request. Undefined when none does. */
export const readerOf = (contract: Contract, request: unknown) =>
	readerIn((given) => contract.safeParse(given), request);

/** What a contract says of one member of a request, and does not say of it in the request before. */
export function refusalsSince(contract: Contract, member: string, before: unknown) {
	const said = (request: unknown) =>
		(contract.safeParse(request).error?.issues ?? [])
			.filter(({ path }) => path.includes(member))
			.map(({ path, message }) => ({ message, place: [...path, message].join(' ') }));
	const known = new Set(said(before).map(({ place }) => place));
	return (request: unknown): string[] =>
		said(request)
			.filter(({ place }) => !known.has(place))
			.map(({ message }) => message);
}

const numberIn = (words: string | undefined) =>
	words === undefined ? undefined : Number(words.replaceAll(',', ''));

/** What a contract demands of a value, read from the words in which it refuses one. */
export interface Rule {
	kind?: 'boolean' | 'number' | 'choice' | 'json';
	/** Both allowed. */
	min?: number;
	max?: number;
	/** Unit of a number. */
	unit?: string;
	/** Words of a closed set. */
	words?: string[];
}

/** Reads the rule from refusals. */
export function ruleIn(refusals: string[]): Rule {
	for (const words of refusals) {
		if (/^must be true or false/.test(words)) return { kind: 'boolean' };
		if (/^(is not valid JSON at line|must be a JSON object$)/.test(words)) return { kind: 'json' };
		const set = /^must be one of (.+), not \?$/.exec(words);
		if (set) return { kind: 'choice', words: set[1].split(', ') };
		const number =
			/^must be a (?:whole )?number(?: from ([\d,]+) to ([\d,]+)| of at least ([\d,]+)| of at most ([\d,]+))?(?: (\w+))?, not \?$/.exec(
				words,
			);
		if (number) {
			const [, from, to, least, most, unit] = number;
			return { kind: 'number', min: numberIn(from ?? least), max: numberIn(to ?? most), unit };
		}
	}
	return {};
}

/** The bounds that refusals of a text or a list that is too long name. */
export const longestIn = (refusals: string[]): number[] =>
	refusals.flatMap((words) => {
		const most =
			/^must be at most ([\d,]+) characters long/.exec(words)?.[1] ??
			/^must be a list(?: from [\d,]+ to| of at most) ([\d,]+) entries/.exec(words)?.[1];
		return numberIn(most) ?? [];
	});
