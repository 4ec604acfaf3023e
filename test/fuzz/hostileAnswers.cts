import fc from 'fast-check';
import { inBody, runsOf, texts } from './answerContent.cjs';
import type { Change } from './answerProxy.cjs';

/** A way in which answers are bad. */
export interface Hostility {
	words: string;
	/** Whether what was asked for is in the answer all the same, so that it must come out. */
	isGood: boolean;
	change: Change;
}

/** The text of a JSON object with more members, which are JSON, too. */
const withMembers =
	(members: string): Change =>
	(answer) => {
		const text = JSON.stringify(answer.body);
		return text.startsWith('{"') ? { ...answer, body: `{${members},${text.slice(1)}` } : answer;
	};

/** Every object with these members, which are JSON. */
const everywhere =
	(members: string): Change =>
	(answer) => ({ ...answer, body: JSON.stringify(answer.body).replaceAll('{"', `{${members},"`) });

const nested = (levels: number) => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2);

const failed =
	(status: number, body: unknown, type = 'text/html'): Change =>
	() => ({ status, type, body });

const refused = (status: number, error: string, details?: unknown): Change =>
	failed(status, { success: false, error, details }, 'application/json');

const inherited =
	'"__proto__":{"polluted":true,"toString":null},"constructor":{"prototype":{"polluted":true}},"hasOwnProperty":1';

/** Bad in small: each is tried with every operation. */
export const smallHostilities: Hostility[] = [
	{
		words: 'expressions in all texts',
		isGood: true,
		change: texts((text) => `={{ $json.secret + ${JSON.stringify(text)} }}`),
	},
	{
		words: 'control characters, directions and halves of characters',
		isGood: true,
		change: texts((text) => `\u0000\u001b[31m\u202e\ud800${text}\udc00\r\nX-Injected: 1\u2028`),
	},
	{ words: 'names that all objects have', isGood: true, change: everywhere(inherited) },
	{
		words: 'enormous and impossible numbers',
		isGood: true,
		change: inBody((value, name) =>
			typeof value === 'number' && !/page|total|count|limit|offset/i.test(name) ? -1e300 : value,
		),
	},
	{
		words: 'credits of -1',
		isGood: true,
		change: inBody((value, name) => (/credits/i.test(name) ? -1 : value)),
	},
	{
		words: 'nothing but an odd list',
		isGood: false,
		change: (answer) => ({ ...answer, body: [[[null]], {}, 'x'] }),
	},
];

/** Characters of which long runs are made. */
const units = ['<', '/', '.', '=', '"', '\\', ' ', '\n', '7', 'a', '@', '-', 'http://', '/*'];

/** Bad by size: some are drawn for every operation. Pages that are bad by their structure are tried by test/unit. */
export const largeHostilities = (size: number): fc.Arbitrary<Hostility> =>
	fc.oneof(
		fc.constantFrom(...units).map((unit) => ({
			words: `all texts ${JSON.stringify(unit)} again and again`,
			isGood: true,
			change: runsOf(unit, size),
		})),
		fc
			.tuple(fc.constantFrom(...units), fc.constantFrom(400, 404, 500, 502), fc.boolean())
			.map(([unit, status, isJson]) => {
				const text = unit.repeat(size / unit.length);
				return {
					words: `${status} ${isJson ? 'that says' : 'with'} ${JSON.stringify(unit)} again and again`,
					isGood: false,
					change: isJson ? refused(status, text) : failed(status, text),
				};
			}),
		fc.constantFrom(5_000, 200_000).map((levels) => ({
			words: `${levels} levels`,
			isGood: levels < 1_000,
			change: withMembers(`"deep":${nested(levels)}`),
		})),
		fc
			.constant(null)
			.map(() => ({ words: 'lists as long as can be', isGood: true, change: withLongLists })),
		fc.constantFrom('true', '"x"', '[]', '{}').map((entry) => ({
			words: `an object of very many ${entry}`,
			isGood: true,
			change: withMembers(
				`"many":{${Array.from({ length: size / 20 }, (_, index) => `"k${index}":${entry}`).join()}}`,
			),
		})),
	);

/** Most lists of an answer that grow: it must stay small enough to be read. */
const mostLists = 4;

/** The first lists grown to more entries than a call can have arguments. */
const withLongLists: Change = (answer) => {
	let left = mostLists;
	return inBody((value) => {
		if (!Array.isArray(value) || value.length === 0 || value.some(hasList) || left === 0) {
			return value;
		}
		left -= 1;
		return Array.from({ length: 130_000 }, () => short(value[0]));
	})(answer);
};

const hasList = (value: unknown): boolean =>
	Array.isArray(value) || Object.values(isObject(value) ? value : {}).some(hasList);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An entry with as few members as it is known by, its texts short. */
function short(entry: unknown): unknown {
	if (typeof entry === 'string') return entry.slice(0, 60);
	if (!isObject(entry)) return entry;
	const some = Object.entries(entry).slice(0, 2);
	return Object.fromEntries(some.map(([name, member]) => [name, short(member)]));
}
