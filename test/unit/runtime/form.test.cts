import fc from 'fast-check';
import {
	anyOf,
	boolean,
	field,
	filter,
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
} from '../../../nodes/runtime/field';
import { check, Refusal, text } from '../../../nodes/runtime/contract';
import { additionalFields, form, grouped } from '../../../nodes/runtime/form';

const shown = { displayName: 'Name', description: 'What it is' };

/** What a form makes of the editor's values: the request, or the first refusal with the way to its field. */
function requested(members: Record<string, Field<unknown>>, values: Record<string, unknown>) {
	const { read, contract } = form(members);
	const { data, error } = contract.safeParse(read(values));
	if (!error) return data;
	const [{ path, message }] = error.issues;
	return `${path.join('.')}: ${message}`;
}

describe('a field in the editor', () => {
	it.each<[string, Field<unknown>, object]>([
		['a text', string(shown), { type: 'string', default: '' }],
		[
			'a long text',
			string({ ...shown, rows: 3, max: 5, placeholder: 'e.g. a' }),
			{ type: 'string', default: '', typeOptions: { rows: 3 }, placeholder: 'e.g. a' },
		],
		[
			'a whole number',
			integer({ ...shown, min: 1, max: 9, unit: 'days', default: 2 }),
			{ type: 'number', default: 2, typeOptions: { minValue: 1, maxValue: 9 } },
		],
		[
			'a number without a largest',
			number({ ...shown, min: 0, default: 0.5 }),
			{ type: 'number', default: 0.5, typeOptions: { minValue: 0 } },
		],
		['a number without bounds', number({ ...shown, default: 1 }), { type: 'number', default: 1 }],
		['a switch', boolean({ ...shown, default: true }), { type: 'boolean', default: true }],
		[
			'a choice',
			oneOf({ ...shown, default: 'b', options: [{ name: 'B', value: 'b' }] }),
			{ type: 'options', default: 'b', options: [{ name: 'B', value: 'b' }] },
		],
		[
			'a choice of several',
			anyOf({ ...shown, options: [{ name: 'B', value: 'b' }] }),
			{ type: 'multiOptions', default: [], options: [{ name: 'B', value: 'b' }] },
		],
		[
			'a list',
			list({ ...shown, entry: text(), max: 3, placeholder: 'e.g. a, b' }),
			{ type: 'string', default: '', placeholder: 'e.g. a, b' },
		],
		[
			'what must be given',
			required(string(shown)),
			{ type: 'string', default: '', required: true },
		],
	])('is %s', (_, member, property) => {
		expect(form({ it: member }).fields).toEqual([{ ...shown, name: 'it', ...property }]);
	});

	it('has none where only expressions give it', () => {
		expect(form({ it: hidden(text()) }).fields).toEqual([]);
	});

	it('is shown for the choice that it belongs to', () => {
		const kind = oneOf({ ...shown, default: 'a', options: [{ name: 'A', value: 'a' }] });
		const { fields } = form({
			kind,
			needed: requiredFor('kind', 'a', string(shown)),
			possible: onlyFor('kind', 'a', string(shown)),
		});
		expect(
			fields.map(({ name, required: must, displayOptions }) => [name, must, displayOptions]),
		).toEqual([
			['kind', undefined, undefined],
			['needed', true, { show: { kind: ['a'] } }],
			['possible', undefined, { show: { kind: ['a'] } }],
		]);
	});

	it('stands in its group, where the first of the group stands', () => {
		const other = { name: 'more', displayName: 'More', placeholder: 'Add' };
		const { fields } = form({
			first: string(shown),
			...additionalFields({ second: string(shown), third: boolean(shown) }),
			fourth: string(shown),
			...grouped(other, { fifth: string(shown) }),
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
	it.each<[string, Field<unknown>, unknown, unknown]>([
		['text', string(shown), 'words', 'words'],
		['a number as text', string(shown), 7, '7'],
		['a whole number as text', integer({ ...shown, default: 1 }), '7', 7],
		['a number as text', number({ ...shown, default: 1 }), '0.5', 0.5],
		['a switch as text', boolean(shown), 'false', false],
		['a choice', oneOf({ ...shown, default: 'a', options: [{ name: 'A', value: 'a' }] }), 'a', 'a'],
		['a list as text', list({ ...shown, entry: text() }), 'a, b', ['a', 'b']],
		['an empty list', list({ ...shown, entry: text() }), [], []],
		['what one writes for it', string({ ...shown, mend: (word) => word.trim() }), ' a ', 'a'],
	])('has %s', (_, member, stored, sent) => {
		expect(requested({ it: member }, { it: stored })).toEqual({ it: sent });
	});

	it.each<[string, Field<unknown>]>([
		['a text', string(shown)],
		['a number', integer({ ...shown, default: 1 })],
		['a list', list({ ...shown, entry: text() })],
		['a filter', filter({ ...shown, entry: text() })],
		['a hidden one', hidden(text())],
	])('has no member for %s that was left alone', (_, member) => {
		expect(requested({ it: member }, { it: '' })).toEqual({});
		expect(requested({ it: member }, {})).toEqual({});
	});

	it.each<[string, Field<unknown>]>([
		['a filter', filter({ ...shown, entry: text() })],
		['a choice of several', anyOf({ ...shown, options: [{ name: 'A', value: 'a' }] })],
	])('has no member for %s without entries', (_, member) => {
		expect(requested({ it: member }, { it: [] })).toEqual({});
	});

	it('has the default that is always sent, and what takes its place', () => {
		const member = withDefault(boolean(shown), true);
		expect(requested({ it: member }, {})).toEqual({ it: true });
		expect(requested({ it: member }, { it: false })).toEqual({ it: false });
	});

	it.each<[string, Field<unknown>, unknown, string]>([
		['what is missing', required(string(shown)), '', 'it: is required'],
		[
			'a long text',
			string({ ...shown, max: 2 }),
			'abc',
			'it: must be at most 2 characters long, not 3',
		],
		[
			'a number out of bounds',
			integer({ ...shown, min: 1, max: 9, unit: 'days', default: 1 }),
			10,
			'it: must be a whole number from 1 to 9 days, not 10',
		],
		[
			'another word, by the words in the order of the editor',
			oneOf({
				...shown,
				default: 'b',
				options: [
					{ name: 'B', value: 'b' },
					{ name: 'A', value: 'a' },
				],
			}),
			'c',
			'it: must be one of b, a, not c',
		],
		[
			'an entry',
			list({ ...shown, entry: check(() => new Refusal('is wrong')) }),
			'a',
			'it.0: is wrong',
		],
		[
			'too many entries',
			filter({ ...shown, entry: text(), max: 1 }),
			'a,b',
			'it: must be a list of at most 1 entries, not 2',
		],
		[
			'the property of another',
			field(
				{ ...shown, type: 'json', default: '' },
				check(() => new Refusal('is odd')),
			),
			1,
			'it: is odd',
		],
	])('refuses %s', (_, member, stored, words) => {
		expect(requested({ it: member }, { it: stored })).toBe(words);
	});

	const chosen = {
		kind: required(
			oneOf({
				...shown,
				default: 'code',
				options: [
					{ name: 'Code', value: 'code' },
					{ name: 'Prompt', value: 'prompt' },
				],
			}),
		),
		prompt: requiredFor('kind', 'prompt', string(shown)),
		code: requiredFor('kind', 'code', string(shown)),
		language: onlyFor('kind', 'code', string(shown)),
	};

	it('has the fields of what was chosen alone', () => {
		const stored = { prompt: 'click', code: '1 + 1', language: 'node' };
		expect(requested(chosen, { kind: 'prompt', ...stored })).toEqual({
			kind: 'prompt',
			prompt: 'click',
		});
		expect(requested(chosen, { kind: 'code', ...stored })).toEqual({
			kind: 'code',
			code: '1 + 1',
			language: 'node',
		});
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
		const members = {
			all: boolean(shown),
			limit: onlyFor('all', false, integer({ ...shown, default: 1 })),
		};
		expect(requested(members, { all: isAll, limit: 5 })).toEqual(request);
	});

	it('has no member for what only decides over others, which is checked', () => {
		const members = { all: notSent(boolean(shown)) };
		expect(requested(members, { all: 'true' })).toEqual({});
		expect(requested(members, { all: 'perhaps' })).toBe('all: must be true or false, not perhaps');
	});

	it('checks the fields against each other', () => {
		const { read, contract } = form(
			{ from: integer({ ...shown, default: 1 }), to: integer({ ...shown, default: 1 }) },
			({ from = 0, to = 0 }, refuse) => {
				if (to < from) refuse('must not be less', 'to');
			},
		);
		expect(contract.safeParse(read({ from: 2, to: 1 })).error?.issues).toMatchObject([
			{ path: ['to'], message: 'must not be less' },
		]);
	});

	it('has the members of a group beside the others, and leaves strangers to be refused', () => {
		const members = { first: string(shown), ...additionalFields({ second: string(shown) }) };
		const group = (additional: unknown) =>
			requested(members, { first: 'a', additionalFields: additional });
		expect(group({ second: 'b' })).toEqual({ first: 'a', second: 'b' });
		expect(group({})).toEqual({ first: 'a' });
		expect(group({ third: 'c' })).toMatch(/^: .*third/);
	});

	it('never writes a prototype', () => {
		const members = additionalFields({ second: string(shown) });
		const additional: unknown = JSON.parse('{"__proto__": {"second": "b"}}');
		expect(requested(members, { additionalFields: additional })).not.toHaveProperty('second');
	});
});

/** Fields with a model of theirs: which values they take, and what is sent of those. */
describe('whatever is stored', () => {
	const word = fc.constantFrom('a', 'b');
	const bounded = fc.record({
		min: fc.integer({ min: 0, max: 5 }),
		over: fc.integer({ min: 0, max: 5 }),
	});

	it('a whole number within the bounds is sent as number, any other is refused', () => {
		fc.assert(
			fc.property(
				bounded,
				fc.integer({ min: -5, max: 15 }),
				fc.boolean(),
				({ min, over }, value, asText) => {
					const member = integer({ ...shown, min, max: min + over, default: min });
					const result = requested({ it: member }, { it: asText ? String(value) : value });
					if (value >= min && value <= min + over) expect(result).toEqual({ it: value });
					else expect(result).toMatch(/^it: must be a whole number/);
				},
			),
		);
	});

	it('lists are the same as arrays and as text', () => {
		fc.assert(
			fc.property(fc.array(word, { minLength: 1 }), (entries) => {
				const member = list({ ...shown, entry: text() });
				expect(requested({ it: member }, { it: entries })).toEqual({ it: entries });
				expect(requested({ it: member }, { it: entries.join(', ') })).toEqual({ it: entries });
				expect(requested({ it: member }, { it: JSON.stringify(entries) })).toEqual({ it: entries });
			}),
		);
	});

	it('a group is read as its members would be beside the others', () => {
		fc.assert(
			fc.property(fc.record({ x: word, y: word }, { requiredKeys: [] }), (values) => {
				const members = { x: string(shown), y: string(shown) };
				expect(requested(additionalFields(members), { additionalFields: values })).toEqual(
					requested(members, values),
				);
			}),
		);
	});
});
