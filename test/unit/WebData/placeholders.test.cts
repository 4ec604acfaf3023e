import type { INodeProperties } from 'n8n-workflow';
import { builtNode } from '../../builtNode.cjs';
import { withInner } from './propertyEntries.cjs';

/** Names of what is asked in plain words: a prompt, a question, a query, or what a search or a judgement is for. */
const asked = /prompt|question|quer(y|ies)|search|goal|objective/i;

/** The texts that are required, or in which somebody asks something, and that show no example. */
const withoutExample = (fields: INodeProperties[]) =>
	fields
		.flatMap(withInner)
		.filter(({ type, default: initial }) => type === 'string' && initial === '')
		.filter(({ name, required }) => required || asked.test(name))
		.filter(({ placeholder = '' }) => !/^e\.g\. \S/.test(placeholder));

it.each(['WebData', 'WebDataTrigger', 'WebDataPollingTrigger'])(
	'%s shows an example of every required text, prompt, question and query',
	(name) => {
		const lacking = withoutExample(builtNode(name).description.properties);
		expect([...new Set(lacking.map(({ displayName }) => displayName))]).toEqual([]);
	},
);

describe('the search for fields without an example', () => {
	const field = (rest: Partial<INodeProperties>): INodeProperties => ({
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		default: '',
		...rest,
	});

	it.each([
		field({}),
		field({ name: 'jsonPrompt', placeholder: 'What to read' }),
		field({ name: 'queries', placeholder: 'e.g. ' }),
		field({ name: 'id', required: true }),
	])('finds %j', (lacking) => {
		const group: INodeProperties = {
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			default: {},
			options: [lacking],
		};
		expect(withoutExample([lacking, group])).toEqual([lacking, lacking]);
	});

	it.each([
		field({ placeholder: 'e.g. The prices' }),
		field({ name: 'checkPromptInjection', type: 'boolean' }),
		field({ name: 'url' }),
	])('lets %j pass', (other) => {
		expect(withoutExample([other])).toEqual([]);
	});
});
