import {
	anyOf,
	boolean,
	editorOnly,
	hidden,
	notSent,
	integer,
	list,
	number,
	oneOf,
	onlyFor,
	required,
	requiredFor,
	string,
	withDefault,
	type Field,
} from '../../../../nodes/runtime/form/field';
import { check, ValidationFailure, stringSchema } from '../../../../nodes/runtime/form/schema';
import {
	additionalFields,
	entries,
	form,
	inCollection,
	object,
	section,
	options,
	objectParts,
	visibleWhen,
	variants,
	mapSchema,
	type FormFields,
} from '../../../../nodes/runtime/form/form';

const texts = ['Name', 'What it is'] as const;
const shown = { displayName: texts[0], description: texts[1] };

/** The choices of a field, each named as its value. */
const choices = (...values: string[]) => Object.fromEntries(values.map((value) => [value, value]));

/** A whole number of which nothing else matters. */
const anInteger = integer(...texts, { default: 1 });
const aList = list(...texts, { entry: stringSchema() });

/** What a form makes of the editor's values: the request, or the first refusal with the way to its field. */
function requested(members: FormFields, values: Record<string, unknown>) {
	const { read, schema } = form(members);
	const { data, error } = schema.safeParse(read(values));
	if (!error) return data;
	const [{ path, message }] = error.issues;
	return `${path.join('.')}: ${message}`;
}

describe('a field in the editor', () => {
	it.each<[string, Field<unknown>, object]>([
		['a text', string(...texts), { type: 'string', default: '' }],
		[
			'a long text',
			string(...texts, { rows: 3, max: 5, placeholder: 'e.g. a' }),
			{ type: 'string', default: '', typeOptions: { rows: 3 }, placeholder: 'e.g. a' },
		],
		[
			'a whole number',
			integer(...texts, { min: 1, max: 9, unit: 'days', default: 2 }),
			{
				displayName: 'Name (Days)',
				type: 'number',
				default: 2,
				typeOptions: { minValue: 1, maxValue: 9 },
			},
		],
		[
			'a number without a largest',
			number(...texts, { min: 0, default: 0.5 }),
			{ type: 'number', default: 0.5, typeOptions: { minValue: 0 } },
		],
		['a switch', boolean(...texts, { default: true }), { type: 'boolean', default: true }],
		[
			'a choice',
			oneOf(...texts, { default: 'b', options: choices('b') }),
			{ type: 'options', default: 'b', options: [{ name: 'b', value: 'b' }] },
		],
		[
			'a choice of several',
			anyOf(...texts, { options: { b: ['B', 'Not a'] } }),
			{
				type: 'multiOptions',
				default: [],
				options: [{ name: 'B', value: 'b', description: 'Not a' }],
			},
		],
		[
			'a list',
			list(...texts, { entry: stringSchema(), max: 3, placeholder: 'e.g. a, b' }),
			{ type: 'string', default: '', placeholder: 'e.g. a, b' },
		],
		[
			'one to be given',
			required(string(...texts)),
			{ type: 'string', default: '', required: true },
		],
	])('is %s', (_, member, property) => {
		expect(form({ it: member }).fields).toEqual([{ ...shown, name: 'it', ...property }]);
	});

	it('is shown for the choice that it belongs to', () => {
		const kind = oneOf(...texts, { default: 'a', options: choices('a') });
		const { fields } = form({
			kind,
			needed: requiredFor('kind', 'a', string(...texts)),
			possible: onlyFor('kind', 'a', string(...texts)),
		});
		const show = { kind: ['a'] };
		expect(fields).toMatchObject([
			{ name: 'kind' },
			{ name: 'needed', required: true, displayOptions: { show } },
			{ name: 'possible', displayOptions: { show } },
		]);
		expect([fields[0].displayOptions, fields[2].required]).toEqual([undefined, undefined]);
	});

	it('stands in its group, where the first of the group stands', () => {
		const other = { name: 'more', displayName: 'More', placeholder: 'Add' };
		const { fields } = form({
			first: string(...texts),
			...additionalFields({ second: string(...texts), third: boolean(...texts) }),
			fourth: string(...texts),
			...inCollection(other, { fifth: string(...texts) }),
		});
		expect(
			fields.map(({ name, type, options }) => [name, type, options?.map((each) => each.name)]),
		).toEqual([
			['first', 'string', undefined],
			['additionalFields', 'collection', ['second', 'third']],
			['fourth', 'string', undefined],
			['more', 'collection', ['fifth']],
		]);
	});
});

describe('the request of a form', () => {
	const blank = integer(...texts, { default: '' });
	const protecting: Field<unknown> = { ...aList, blank: 'rejectedUnlessUntouched' };

	it.each<[Field<unknown>, unknown[], unknown[]]>([
		[anInteger, [''], [null]],
		[boolean(...texts), [''], [null]],
		[protecting, [''], [null]],
		[string(...texts), ['', null], []],
		[required(anInteger), [], ['', null]],
	])(
		'%# has no value for a blank that the editor leaves, and refuses others',
		(it, left, others) => {
			for (const value of left) expect(requested({ it }, { it: value })).toEqual({});
			for (const value of others)
				expect(requested({ it }, { it: value })).toMatch(/^it: (has no value|is required)/);
		},
	);

	it('refuses blanks in a group, to which the user has added the field', () => {
		const inGroup = (it: Field<unknown>, value: unknown) => [
			requested({ it: object(...texts, { default: {} }, { it }) }, { it: { it: value } }),
			requested(
				{ it: entries(...texts, { entry: 'E', placeholder: 'A' }, objectParts({ it })) },
				{ it: [{ it: value }] },
			),
		];
		const refused = [
			expect.stringMatching(/^it\.it: has no value: give it one/),
			expect.stringMatching(/^it\.0\.it: has no value: give it one/),
		];
		for (const it of [anInteger, boolean(...texts)]) {
			for (const value of ['', null]) expect(inGroup(it, value)).toEqual(refused);
		}
		expect(inGroup(protecting, null)).toEqual(refused);
		expect(inGroup(blank, null)).toEqual(refused);
		expect(inGroup(blank, '')).toEqual([{}, { it: [{}] }]);
	});

	it.each<[string, Field<unknown>]>([
		['a filter', list(...texts, { entry: stringSchema(), emptyIsUnset: true })],
		['a choice of several', anyOf(...texts, { options: choices('a'), emptyIsUnset: true })],
	])('has no member for %s without entries', (_, member) => {
		expect(requested({ it: member }, { it: [] })).toEqual({});
	});

	it('has the default that is always sent, and what takes its place', () => {
		const member = withDefault(boolean(...texts, { default: true }));
		expect(requested({ it: member }, {})).toEqual({ it: true });
		expect(requested({ it: member }, { it: false })).toEqual({ it: false });
	});

	it.each<[Field<unknown>, unknown, string]>([
		[string(...texts, { max: 2 }), 'abc', 'it: must be at most 2 characters long, not 3'],
		[
			integer(...texts, { min: 1, max: 9, unit: 'days', default: 1 }),
			10,
			'it: must be a whole number from 1 to 9 days, not 10',
		],
		[
			oneOf(...texts, { default: 'b', options: choices('b', 'a') }),
			'c',
			'it: must be one of b, a, not c',
		],
		[anyOf(...texts, { options: choices('b', 'a') }), ['c'], 'it.0: must be one of b, a, not c'],
		[
			list(...texts, { entry: check(() => new ValidationFailure('is wrong')) }),
			'a',
			'it.0: is wrong',
		],
		[
			list(...texts, { entry: stringSchema(), max: 1, emptyIsUnset: true }),
			'a,b',
			'it: must be a list of at most 1 entries, not 2',
		],
	])('refuses %#', (member, stored, words) => {
		expect(requested({ it: member }, { it: stored })).toBe(words);
	});

	const chosen = {
		kind: required(oneOf(...texts, { default: 'code', options: choices('code', 'prompt') })),
		prompt: requiredFor('kind', 'prompt', string(...texts)),
		code: requiredFor('kind', 'code', string(...texts)),
		language: onlyFor('kind', 'code', string(...texts)),
	};

	it('has the fields of what was chosen alone', () => {
		const prompted = { kind: 'prompt', prompt: 'click' };
		const coded = { kind: 'code', code: '1 + 1', language: 'node' };
		expect(requested(chosen, { ...coded, ...prompted })).toEqual(prompted);
		expect(requested(chosen, { ...prompted, ...coded })).toEqual(coded);
	});

	it('refuses what is missing of what was chosen', () => {
		expect(requested(chosen, { kind: 'code', prompt: 'click' })).toBe('code: is required');
	});

	it.each([
		[true, { all: true }],
		['true', { all: true }],
		[false, { all: false, limit: 5 }],
		[undefined, { limit: 5 }],
	])('reads a field beside the switch %p', (isAll, request) => {
		const members = { all: boolean(...texts), limit: onlyFor('all', false, anInteger) };
		expect(requested(members, { all: isAll, limit: 5 })).toEqual(request);
	});

	it('has no member for what only decides over others, which is checked', () => {
		const members = { all: notSent(boolean(...texts)) };
		expect(requested(members, { all: 'true' })).toEqual({});
		expect(requested(members, { all: 'perhaps' })).toBe('all: must be true or false, not perhaps');
	});

	it('checks the fields against each other', () => {
		const { read, schema } = form(
			{ from: anInteger, to: anInteger },
			({ from = 0, to = 0 }, refuse) => {
				if (to < from) refuse('must not be less', 'to');
			},
		);
		expect(schema.safeParse(read({ from: 2, to: 1 })).error?.issues).toMatchObject([
			{ path: ['to'], message: 'must not be less' },
		]);
	});

	it('has the members of a group beside the others, without those that the form does not have', () => {
		const members = { first: string(...texts), ...additionalFields({ second: string(...texts) }) };
		const group = (additional: unknown) =>
			requested(members, { first: 'a', additionalFields: additional });
		expect(group({ second: 'b' })).toEqual({ first: 'a', second: 'b' });
		expect(group({})).toEqual({ first: 'a' });
		expect(group({ third: 'c' })).toEqual({ first: 'a' });
	});
});

describe('a field that is more than one property or one value', () => {
	const note = { displayName: 'Note', name: 'note', type: 'string', default: '' } as const;

	it('has its further properties behind its own, all shown for what they are shown for', () => {
		const member = { ...string(...texts), extraProperties: [note] };
		expect(form({ it: member }).fields.map(({ name }) => name)).toEqual(['it', 'note']);
		const limited = form(visibleWhen({ kind: ['a'] }, { it: member })).fields;
		expect(limited.map(({ displayOptions }) => displayOptions)).toEqual([
			{ show: { kind: ['a'] } },
			{ show: { kind: ['a'] } },
		]);
	});

	it('keeps what it is shown for already', () => {
		const it = string(...texts, { displayOptions: { show: { on: [true] } } });
		const { fields } = form(visibleWhen({ kind: ['a'] }, { it }));
		expect(fields[0].displayOptions).toEqual({ show: { kind: ['a'], on: [true] } });
	});

	it('is read as it says, beside the others, from the files of the item and in a group', () => {
		const read = { ...string(...texts), read: () => 'read' };
		expect(requested({ it: read }, { it: 'stored' })).toEqual({ it: 'read' });
		expect(requested(additionalFields({ it: read }), { additionalFields: { it: 'x' } })).toEqual({
			it: 'read',
		});
		const named = form({
			it: { ...string(...texts), read: (_values, files = {}) => Object.keys(files)[0] },
		});
		const files = { data: { data: '', mimeType: 'text/plain' } };
		expect(named.schema.safeParse(named.read({}, files)).data).toEqual({ it: 'data' });
	});
});

describe('what is not of the editor and of the request at once', () => {
	it('is shown and neither read nor known where it is the editor’s alone', () => {
		const members = { it: editorOnly(string(...texts)), text: string(...texts) };
		expect(form(members).fields.map(({ name }) => name)).toEqual(['it', 'text']);
		expect(requested(members, { it: 'a', text: 'b' })).toEqual({ text: 'b' });
	});

	it('is handed on where something is made of it before the check', () => {
		const members = { it: editorOnly(string(...texts), ({ it }) => it), text: string(...texts) };
		const asked = mapSchema(form(members), (schema) =>
			check((value) => Object(value).it as unknown)
				.transform((text) => ({ text }))
				.pipe(schema),
		);
		expect(asked.schema.safeParse(asked.read({ it: 'a' })).data).toEqual({ text: 'a' });
	});

	it('is known, and neither shown nor read, where no field gives it', () => {
		const members = { it: hidden(stringSchema()) };
		expect(form(members).fields).toEqual([]);
		expect(requested(members, { it: 'a' })).toEqual({});
		expect(form(members).schema.safeParse({ it: 'a' }).data).toEqual({ it: 'a' });
	});
});

describe('an object', () => {
	const member = () =>
		object(
			...texts,
			{ default: { b: '' } },
			{ b: string('B', ''), a: integer('a', '', { default: 1 }) },
			({ a, b }, refuse) => {
				if (a === undefined && b === undefined) refuse('needs one');
			},
		);

	it('is a group with its members in the order of their names', () => {
		const [{ type, default: initial, options: inner = [] }] = form({ it: member() }).fields;
		expect([type, initial, inner.map(({ name }) => name)]).toEqual([
			'collection',
			{ b: '' },
			['a', 'b'],
		]);
	});

	it('is read and checked as one member', () => {
		expect(requested({ it: member() }, { it: { a: '1', b: '' } })).toEqual({ it: { a: 1 } });
		expect(requested({ it: member() }, { it: { b: ' ' } })).toBe('it.b: must not be blank');
		expect(requested({ it: member() }, { it: [] })).toBe('it: must be an object');
	});
});

describe('a list of objects', () => {
	const about = { entry: 'Entry', placeholder: 'Add Entry', max: 2 };
	const each = objectParts({ a: required(string(...texts)), b: string(...texts) });

	it('is a fixed collection', () => {
		expect(form({ it: entries(...texts, { ...about, isSortable: true }, each) }).fields).toEqual([
			{
				...shown,
				name: 'it',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true, sortable: true },
				placeholder: 'Add Entry',
				default: {},
				options: [{ displayName: 'Entry', name: 'values', values: each.properties }],
			},
		]);
	});

	it('is read from what the editor stores, and has no more entries than it may', () => {
		const read = (values: unknown[]) =>
			requested({ it: entries(...texts, about, each) }, { it: { values } });
		expect(read([{ a: 'x', b: '' }])).toEqual({ it: [{ a: 'x' }] });
		expect(read(Array(3).fill({ a: 'x' }))).toBe('it: must be a list of at most 2 entries, not 3');
	});

	it('is sent empty, or not at all', () => {
		const [empty, full] = [{ it: [] }, { it: [{ a: 'x' }] }];
		expect(requested({ it: entries(...texts, about, each) }, empty)).toEqual(empty);
		expect(
			requested({ it: entries(...texts, { ...about, emptyIsUnset: true }, each) }, empty),
		).toEqual({});
		expect(
			requested({ it: entries(...texts, { ...about, emptyIsUnset: true }, each) }, full),
		).toEqual(full);
	});
});

describe('an object of one of several types', () => {
	const step = variants({
		default: 'wait',
		types: choices('click', 'wait'),
		sections: [
			section(['click', 'wait'], { selector: string(...texts) }),
			section(['wait'], { seconds: integer(...texts, { min: 1, default: '' }) }),
			section(['click'], options({ all: boolean(...texts, { default: true }) })),
		],
		rules: {
			click({ selector }, refuse) {
				if (selector === undefined) refuse('is required', 'selector');
			},
		},
	});
	const about = { entry: 'Step', placeholder: 'Add Step' };
	const made = (entry: unknown) =>
		requested({ it: entries(...texts, about, step) }, { it: [entry] });

	it('shows the type first, and each field for the types that have it', () => {
		const properties = step.properties.map(
			({ name, default: initial, displayOptions: { show } = {} }) => [name, initial, show?.type],
		);
		expect(properties).toEqual([
			['type', 'wait', undefined],
			['selector', '', ['click', 'wait']],
			['seconds', '', ['wait']],
			['options', {}, ['click']],
		]);
	});

	it.each([
		['wait', { seconds: '5', selector: '' }, { seconds: 5 }],
		['click', { selector: 'a', seconds: 5, more: 1 }, { selector: 'a', more: 1 }],
		['click', { selector: 'a', options: { all: 'true' } }, { selector: 'a', all: true }],
	])('reads %s %j', (type, stored, sent) => {
		expect(made({ type, ...stored })).toEqual({ it: [{ type, ...sent }] });
	});

	it.each([
		[{ type: 'click' }, 'it.0.selector: is required'],
		[{ type: 'jump' }, 'it.0.type: must be one of click, wait, not jump'],
		[{ type: 'wait', seconds: 0 }, 'it.0.seconds: must be a whole number of at least 1, not 0'],
	])('refuses %j', (stored, words) => {
		expect(made(stored)).toBe(words);
	});
});
