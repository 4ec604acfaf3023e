import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';
import type { Values } from '../../../nodes/runtime/execution/operation';
import { resources } from '../../../nodes/WebData/resources';
import * as pollingTrigger from '../../../nodes/WebDataPollingTrigger/watch';
import * as trigger from '../../../nodes/WebDataTrigger/settings';
import { builtNode } from '../../builtNode.cjs';
import { node } from '../schemaAssertions.cjs';
import { entriesOf, isProperty, withInner } from './propertyEntries.cjs';
import { longestIn, refusalsSince } from './resources/schemaAt.cjs';

const operations = resources.flatMap(({ value, operations: all }) =>
	all.map((operation) => ({ ...operation, name: `${value}: ${operation.value}` })),
);

/** Text as sentences: a period ends one unless what follows goes on in small letters. */
const sentences = (text: string) => text.split(/[.!?](?:\s+(?=[A-Z0-9])|$)/).filter(Boolean);

const { description: webData } = builtNode('WebData');

describe.each(operations)('$name', ({ name, action, description }) => {
	it('has an action of its own, in six words at the most', () => {
		expect(action).toMatch(/^[A-Z][^.]+$/);
		expect(action.split(' ').length).toBeLessThanOrEqual(6);
		expect(operations.filter((other) => other.action === action)).toHaveLength(1);
	});

	it('tells an AI model when to use it, what it returns and what it costs, in two or three short sentences', () => {
		expect(sentences(description).length).toBeGreaterThanOrEqual(2);
		expect(sentences(description).length).toBeLessThanOrEqual(3);
		expect(description.length).toBeLessThanOrEqual(320);
		expect(description).toMatch(/\breturns?\b/i);
		expect(description).toMatch(/\b(credits?|free|charged)\b/i);
	});

	it('tells it to the model when the node is its tool, and does not show it otherwise', () => {
		const [resource, operation] = name.split(': ');
		const chosen = { resource, operation };
		const parametersOf = (type: INodeTypeDescription): INode['parameters'] =>
			NodeHelpers.getNodeParameters(type.properties, chosen, true, false, node, type) ?? {};
		const tool = { ...webData, name: `${webData.name}Tool` };

		const asTool = { ...node, parameters: parametersOf(tool) };
		const told = NodeHelpers.getToolDescriptionForNode(asTool, { description: tool });

		expect(told).toBe(description);
		expect(parametersOf(webData)).not.toHaveProperty('toolDescription');
	});
});

/** Every field of the editor by the way to it, those inside others too. */
const everyField = [
	...operations,
	{ name: 'polling trigger', fields: pollingTrigger.triggerFields },
	{ name: 'trigger', fields: trigger.triggerFields },
].flatMap(({ name, fields }) => fields.flatMap(withInner).map((field) => ({ name, field })));

const inWords = ({ name, field }: (typeof everyField)[number]) =>
	`${name} ${field.displayName}: ${field.description}`;

const wordsOf = (text: string) =>
	(text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => word.replace(/s$/, ''));

/** Words that say nothing by themselves. */
const filler = new Set(wordsOf('a an the of to for in by or and whether this its'));

const measures =
	/\b(milliseconds|seconds|minutes|days|credits|characters|pixels|how many|how often|number of|pages|results|calls|links|stars|size|score|file)\b/i;

describe('the words of the editor', () => {
	it('say what a number counts, or in which unit', () => {
		const unclear = everyField.filter(
			({ field: { type, description = '' } }) => type === 'number' && !measures.test(description),
		);
		expect(unclear.map(inWords)).toEqual([]);
	});

	it('say more than the name says already', () => {
		const empty = everyField.filter(({ field: { displayName, description } }) => {
			if (description === undefined) return false;
			const known = new Set([...wordsOf(displayName), ...filler]);
			return wordsOf(description).every((word) => known.has(word));
		});
		expect(empty.map(inWords)).toEqual([]);
	});

	it('name the most that a number may be', () => {
		const silent = everyField.filter(
			({ field: { typeOptions, description = '' } }) =>
				typeOptions?.maxValue !== undefined &&
				!description.includes(typeOptions.maxValue.toLocaleString('en-US')),
		);
		expect(silent.map(inWords)).toEqual([]);
	});
});

/** Members that name what exists: nobody makes up one that is too long. */
const isName = (member: string) =>
	/id$/i.test(member) || ['anchor', 'sources', 'version'].includes(member);

const tooLong = [
	'x'.repeat(100_001),
	Array.from({ length: 1_001 }, () => '?'),
	['x'.repeat(100_001)],
];

/** The texts among fields and in their groups, with how each is stored. */
const textsIn = (
	fields: INodeProperties[],
	stored: (values: Values) => Values = (values) => values,
): Array<{ field: INodeProperties; stored(value: unknown): Values }> =>
	fields.flatMap((field) => {
		if (field.type === 'collection' && field.typeOptions?.multipleValues !== true) {
			return textsIn(entriesOf(field).filter(isProperty), (values) =>
				stored({ [field.name]: values }),
			);
		}
		return field.type === 'string'
			? [{ field, stored: (value: unknown) => stored({ [field.name]: value }) }]
			: [];
	});

it.each(operations)('$name: its texts say how long they may be', ({ fields, read, schema }) => {
	const silent = textsIn(fields)
		.filter(({ field }) => !isName(field.name))
		.filter(({ field: { name, description = '' }, stored }) => {
			const refusals = refusalsSince(schema, name, read({}));
			const limits = longestIn(tooLong.flatMap((value) => refusals(read(stored(value)))));
			return limits.some((most) => !description.includes(most.toLocaleString('en-US')));
		});
	expect(silent.map(({ field }) => `${field.displayName}: ${field.description}`)).toEqual([]);
});
