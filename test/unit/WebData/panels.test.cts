import type { INodeProperties } from 'n8n-workflow';
import { resources } from '../../../nodes/WebData/resources';
import { builtNode } from '../../builtNode.cjs';
import { withInner } from './propertyEntries.cjs';

const nodes = ['WebData', 'WebDataTrigger', 'WebDataPollingTrigger'];

/** The fields of a node, those in groups, too. */
const fieldsOf = (name: string): INodeProperties[] =>
	builtNode(name).description.properties.flatMap(withInner);

const isJson = (text: unknown) => {
	try {
		JSON.parse(String(text));
		return true;
	} catch {
		return false;
	}
};

it.each(nodes)(
	'%s starts with no text in a field of JSON that the editor marks as wrong',
	(name) => {
		const wrong = fieldsOf(name).filter((field) => field.type === 'json' && !isJson(field.default));
		expect(wrong.map((field) => field.displayName)).toEqual([]);
	},
);

/** A line of the panel at its least width holds so many letters; that of an entry of a list, fewer. */
const mostLetters = { line: 54, entry: 49 };

const isLine = ({ type, typeOptions }: INodeProperties) =>
	type === 'string' && (typeOptions?.rows ?? 1) === 1;

/** The examples in fields of one line that the editor would cut. */
const cut = (fields: INodeProperties[], most: number): string[] =>
	fields.flatMap((field) => [
		...(isLine(field) && (field.placeholder ?? '').length > most ? [field.placeholder ?? ''] : []),
		...cut(withInner(field).slice(1), mostLetters.entry),
	]);

it.each(nodes)('%s shows no example that is longer than its field', (name) => {
	expect([...new Set(cut(builtNode(name).description.properties, mostLetters.line))]).toEqual([]);
});

/** What stands below the fields of the operation itself, in this order. */
const last = ['Additional Fields', 'Output', 'Output Options', 'Retries', 'Limits'];

it.each(
	resources.flatMap(({ value, operations }) =>
		operations.map(({ value: operation, fields }) => ({ name: `${value}: ${operation}`, fields })),
	),
)('$name ends with what all operations share, in one order', ({ fields }) => {
	const names = fields.map(({ displayName }) => displayName).filter((name) => last.includes(name));
	expect(names).toEqual(last.filter((name) => names.includes(name)));
});
