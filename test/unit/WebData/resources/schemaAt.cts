import { z, type ZodType, type ZodTypeDef } from 'zod/v3';
import { z as z4 } from 'zod/v4';

type Schema = ZodType<unknown, ZodTypeDef, unknown>;

/** A member that no schema knows. */
const stranger = '?';

/** An object that only holds what no schema knows: where it comes by, its reader is known. */
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

/** The same of the mock server's reading, which is made of zod 4: the object that refuses the stranger, of a union the one of its type. */
export function serviceReaderIn(
	parse: (request: unknown) => unknown,
	request: unknown,
): z4.ZodObject | undefined {
	let reader: z4.ZodObject | undefined;
	const { customError } = z4.config();
	z4.config({
		customError(issue) {
			const { inst, input } = issue;
			if (issue.code !== 'unrecognized_keys' || !(inst instanceof z4.ZodObject)) return undefined;
			const { type } = inst.shape;
			const isMeant = !type || z4.safeParse(type, Reflect.get(Object(input), 'type')).success;
			if (Object.hasOwn(Object(input), stranger) && isMeant) reader ??= inst;
			return undefined;
		},
	});
	try {
		parse(request);
	} catch {
		// It refuses the request: what matters is who did.
	}
	z4.config({ customError });
	return reader;
}

/** What a schema says of one member of a request, and does not say of it in the request before. */
export function refusalsSince(schema: Schema, member: string, before: unknown) {
	const said = (request: unknown) =>
		(schema.safeParse(request).error?.issues ?? [])
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

/** The words of a closed set that refusals name; undefined where they name none. */
export const choicesIn = (refusals: string[]): string[] | undefined =>
	refusals
		.map((words) => /^must be one of (.+), not \?$/.exec(words)?.[1].split(', '))
		.find((words) => words !== undefined);

/** The bounds that refusals of a text or a list that is too long name. */
export const longestIn = (refusals: string[]): number[] =>
	refusals.flatMap((words) => {
		const most =
			/^must be at most ([\d,]+) characters long/.exec(words)?.[1] ??
			/^must be a list(?: from [\d,]+ to| of at most) ([\d,]+) entries/.exec(words)?.[1];
		return numberIn(most) ?? [];
	});
