import fc from 'fast-check';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { oddValues } from './oddValues.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

/** What a field holds whose description gives no example. */
const byName: Readonly<Record<string, readonly unknown[]>> = {
	answer: ['yes'],
	approvalId: ['approval-1'],
	binaryPropertyName: ['data'],
	calls: [
		[{ provider: 'relayworks', capability: 'template-search', options: { query: 'retry' } }],
		'[{"provider":"relayworks","capability":"template-search","options":{"query":"retry"}}]',
	],
	code: ['1 + 1'],
	from: ['2026-01-01'],
	to: ['2026-02-01T00:00:00Z'],
	goal: ['Prices change'],
	model: ['spark-2'],
	pageNumbers: ['1, 4'],
	prompt: ['Read the opening hours'],
	query: ['tide tables', 'coffee'],
	question: ['When is high water?'],
	schedule: [{ text: 'hourly' }, { cron: '0 9 * * *' }],
	script: ['document.title'],
	selector: ['a'],
	snapshotId: [id],
	text: ['hourly', 'daily at 9am'],
	threadId: [id],
	timezone: ['Europe/Berlin'],
	topic: ['tides'],
	url: ['https://tidewatch.example/guides/spring-tides', 'tidewatch.example/guides'],
	urls: [
		'https://tidewatch.example/guides/spring-tides, https://tidewatch.example/guides/storm-surges',
		['https://tidewatch.example/guides'],
	],
};

/** Whether all that a field may hold is known by its name. */
const hasExamples = ({ name, type }: INodeProperties) =>
	type === 'collection' && Object.hasOwn(byName, name);

/** What the JSON fields of a shape hold, whatever format's they are. */
const byEnding: ReadonlyArray<[ending: RegExp, values: string[]]> = [
	[/schemaExample$/i, ['{"title":"Tides"}', '{"pages":[],"checked":null}']],
	[/schema$/i, ['{"type":"object","properties":{"title":{"type":"string"}}}']],
];

/** What a user may type into a text or JSON field: the example that its description gives, or what its name tells. */
function plausibleTexts({ name, placeholder, default: initial, type }: INodeProperties) {
	const example = /^e\.g\. (.+)$/.exec(placeholder ?? '')?.[1];
	const known = Object.hasOwn(byName, name) ? byName[name] : [];
	const isId = /Id$/.test(name) && known.length === 0;
	const all: unknown[] = [
		...known,
		...(example === undefined ? [] : [example]),
		...(isId ? [id] : []),
		...byEnding.flatMap(([ending, values]) => (ending.test(name) ? values : [])),
		...(type === 'json' ? [initial] : []),
	];
	return all.length === 0 ? ['some words'] : all;
}

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;
/** Values of fields, as the editor stores them. */
export type Drawn = Record<string, unknown>;

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;
const isGroup = (entry: Entry): entry is INodePropertyCollection => 'values' in entry;
const isChoice = (entry: Entry): entry is INodePropertyOptions => 'value' in entry;

/** Whether the editor shows a field beside these values; what lies above is not looked at. */
const isShown = ({ displayOptions }: INodeProperties, beside: Drawn): boolean =>
	Object.entries(displayOptions?.show ?? {}).every(
		([name, wanted]) =>
			name.startsWith('/') ||
			!(name in beside) ||
			// Of a choice of several, each that is chosen counts.
			[beside[name]].flat().some((chosen) => (wanted ?? []).some((one) => one === chosen)),
	);

/** What an editor would store of these fields: those that are shown, in the places of the rest nothing. */
const shownOf = (properties: INodeProperties[], drawn: Drawn): Drawn =>
	Object.fromEntries(
		Object.entries(drawn).filter(([name, value]) => {
			const all = properties.filter((property) => property.name === name);
			return value !== undefined && all.some((property) => isShown(property, drawn));
		}),
	);

/** A field that the user left alone holds its default. */
const untouched = (
	{ default: initial, required }: INodeProperties,
	filled: fc.Arbitrary<unknown>,
) => (required === true ? filled : fc.oneof(filled, fc.constant<unknown>(initial)));

/** In an entry that users add, few fields stay as they are. */
const mostlyFilled: typeof untouched = ({ default: initial }, filled) =>
	fc.oneof(
		{ weight: 9, arbitrary: filled },
		{ weight: 1, arbitrary: fc.constant<unknown>(initial) },
	);

/** Values for fields beside each other, all of which the editor stores. */
function fieldsOf(
	properties: INodeProperties[],
	left: typeof untouched = untouched,
): fc.Arbitrary<Drawn> {
	const model: Record<string, fc.Arbitrary<unknown>> = {};
	for (const property of properties) {
		const before = model[property.name];
		const value = valueOf(property);
		// One name may stand for several fields, each shown at another time.
		const either = before === undefined ? value : fc.oneof(before, value);
		model[property.name] = left(property, either);
	}
	return fc.record(model).map((drawn) => shownOf(properties, drawn));
}

/** Members of a collection: few of them, as users pick them. */
function picked(properties: INodeProperties[]): fc.Arbitrary<Drawn> {
	if (properties.length === 0) return fc.constant({});
	return fc
		.subarray(properties, { maxLength: Math.min(4, properties.length) })
		.chain((some) => fieldsOf(some, (_property, filled) => filled));
}

const numberOf = ({ typeOptions, default: initial }: INodeProperties): fc.Arbitrary<unknown> => {
	const { minValue: min = 0, maxValue: max = min + 50 } = typeOptions ?? {};
	const usual = typeof initial === 'number' ? [fc.constant(initial)] : [];
	const inRange = fc.integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, min + 1_000)) });
	// Bounds show by small numbers.
	const few = fc.integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, min + 3)) });
	return fc.oneof(...usual, few, inRange, inRange.map(String), fc.constantFrom(min, max));
};

/** A value as the editor stores it for a field that the user filled in. */
function valueOf(property: INodeProperties): fc.Arbitrary<unknown> {
	const entries: Entry[] = property.options ?? [];
	const choices = entries.filter(isChoice).map(({ value }) => value);
	if (hasExamples(property)) return fc.constantFrom<unknown>(...plausibleTexts(property));
	switch (property.type) {
		case 'boolean':
			return fc.boolean();
		case 'number':
			return numberOf(property);
		case 'options':
			return fc.constantFrom<unknown>(...choices);
		case 'multiOptions':
			return fc.subarray(choices);
		case 'collection': {
			const members = entries.filter(isProperty);
			return property.typeOptions?.multipleValues === true
				? fc.array(fieldsOf(members, mostlyFilled), { maxLength: 3 })
				: picked(members);
		}
		case 'fixedCollection': {
			const groups = entries.filter(isGroup);
			const minLength = property.required === true ? 1 : 0;
			const isList = property.typeOptions?.multipleValues === true;
			const members = groups.map(({ name, values }): [string, fc.Arbitrary<unknown>] => [
				name,
				isList
					? fc.array(fieldsOf(values, mostlyFilled), { minLength, maxLength: 3 })
					: fieldsOf(values),
			]);
			return fc.record(Object.fromEntries(members), { requiredKeys: isList ? undefined : [] });
		}
		case 'resourceLocator':
			return fc
				.constantFrom('list', 'id')
				.chain((mode) =>
					fc
						.constantFrom<unknown>(...locatorValues(property))
						.map((value) => ({ __rl: true, mode, value })),
				);
		case 'resourceMapper':
			return fc.constantFrom<unknown>(
				{ mappingMode: 'defineBelow', value: null, schema: [] },
				{ mappingMode: 'defineBelow', value: { query: 'retry' }, schema: [] },
			);
		case 'notice':
			return fc.constant('');
		case 'dateTime':
			return fc.constantFrom<unknown>('2026-02-03T04:05:06', '2026-02-03T04:05:06.000Z');
		default:
			return fc.constantFrom<unknown>(...plausibleTexts(property));
	}
}

const locatorValues = ({ modes = [], ...property }: INodeProperties) =>
	plausibleTexts({
		...property,
		placeholder: modes.find(({ name }) => name === 'id')?.placeholder,
	});

/** A place in a value, as the way to it. */
type Way = Array<string | number>;

function waysInto(value: unknown, way: Way = []): Way[] {
	if (typeof value !== 'object' || value === null) return [way];
	return [
		...(way.length === 0 ? [] : [way]),
		...Object.entries(value).flatMap(([key, member]) => waysInto(member, [...way, key])),
	];
}

function replaced(value: unknown, [step, ...rest]: Way, by: unknown): unknown {
	if (step === undefined) return by;
	if (Array.isArray(value)) {
		return value.map((entry: unknown, index) =>
			String(index) === step ? replaced(entry, rest, by) : entry,
		);
	}
	return { ...Object(value), [step]: replaced(Reflect.get(Object(value), step), rest, by) };
}

/** Parameters of a node, and where odd values have come into them. */
export interface RandomParameters {
	parameters: Drawn;
	/** The ways to the places of odd values. */
	odd: string[];
}

/** Parameters as users fill in these fields, with up to three odd values in the places of some, at any depth. */
export const randomParameters = (properties: INodeProperties[]): fc.Arbitrary<RandomParameters> =>
	fc
		.tuple(fieldsOf(properties), fc.array(fc.tuple(fc.nat(), oddValues()), { maxLength: 3 }))
		.map(([plain, oddities]) => {
			let parameters: unknown = plain;
			const odd: string[] = [];
			// Where no expression can stand, the editor stores nothing odd.
			const fixed = properties.filter((field) => field.noDataExpression).map(({ name }) => name);
			for (const [place, value] of oddities) {
				const ways = waysInto(parameters);
				const way = ways[place % ways.length];
				if (way === undefined || way.length === 0 || fixed.includes(String(way[0]))) continue;
				parameters = replaced(parameters, way, value);
				odd.push(way.join('.'));
			}
			return { parameters: parameters as Drawn, odd };
		});
