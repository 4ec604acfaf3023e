import type { INodeProperties } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod/v3';
import { propertiesOf } from '../../../../nodes/runtime/form/form';
import { actions } from '../../../../nodes/WebData/fields/actions';
import { targets } from '../../../../nodes/WebData/fields/monitor';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const [actionsField] = propertiesOf({ actions });
const [targetsField] = propertiesOf({ targets });

type Schema = ZodType<unknown, ZodTypeDef, unknown>;

/** The fields of an entry of a list in the editor. */
function entryFields({ options = [] }: INodeProperties): INodeProperties[] {
	const [option] = options;
	if (!('values' in option)) throw new Error('no fixed collection');
	return option.values;
}

/** Every field with its default, as n8n stores an entry whose type is an expression. */
const untouched = (field: INodeProperties): Record<string, unknown> =>
	Object.fromEntries(entryFields(field).map(({ name, default: value }) => [name, value]));

const typesOf = (field: INodeProperties): string[] => {
	const type = entryFields(field).find(({ name }) => name === 'type');
	return (type?.options ?? []).flatMap((option) =>
		'value' in option ? [String(option.value)] : [],
	);
};

/** What each type needs beside its type. */
const needed: Record<string, Record<string, unknown>> = {
	wait: { milliseconds: 5 },
	click: { selector: '#more' },
	write: { text: 'tide' },
	press: { key: 'Enter' },
	executeJavascript: { script: '1' },
};
const neededOfTargets: Record<string, Record<string, unknown>> = {
	scrape: { urls: 'https://a.example' },
	crawl: { url: 'https://a.example' },
	search: { queries: 'tides' },
};

const lists: Array<[INodeProperties, Schema, Record<string, Record<string, unknown>>]> = [
	[actionsField, actions.valueSchema, needed],
	[targetsField, targets.valueSchema, neededOfTargets],
];

const cases = lists.flatMap(([field, schema, members]) =>
	typesOf(field).map((type): [string, string, INodeProperties, Schema, object] => [
		field.displayName,
		type,
		field,
		schema,
		members[type] ?? {},
	]),
);

describe('an entry whose type is an expression', () => {
	it.each(cases)('of %s: %s', (_, type, field, schema, members) => {
		const stored = { ...untouched(field), ...members, type };
		const alone = { ...members, type };

		expect(accepted(schema, { values: [stored] })).toEqual(accepted(schema, { values: [alone] }));
	});

	it.each([
		[
			actions.valueSchema,
			{ type: 'scrape', selector: '#more' },
			'0 selector is a field of click and wait and scroll, not of scrape',
		],
		[
			targets.valueSchema,
			{ type: 'crawl', url: 'https://a.example', queries: 'tides' },
			'0 queries is a field of search, not of crawl',
		],
	])('that has set what belongs to another type is refused: %#', (schema, entry, words) => {
		expect(refusals(schema, { values: [entry] })).toEqual([words]);
	});
});
