import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

type Option = NonNullable<INodeProperties['options']>[number];

const isChoice = (option: Option): option is INodePropertyOptions => 'value' in option;
const isCollection = (option: Option): option is INodePropertyCollection => 'values' in option;
const isField = (option: Option): option is INodeProperties =>
	'type' in option && !isChoice(option) && !isCollection(option);

/** Text as it is, where Markdown would take some of it as its own. */
export const plain = (text: string): string => text.replace(/[\\*<]/g, '\\$&').replace(/\s+/g, ' ');

const typeNames: Partial<Record<INodeProperties['type'], string>> = {
	boolean: 'yes or no',
	collection: 'group',
	dateTime: 'date',
	fixedCollection: 'group',
	json: 'JSON',
	multiOptions: 'choices',
	options: 'choice',
	resourceLocator: 'pick or ID',
	string: 'text',
};

function defaultOf({ type, default: initial }: INodeProperties): string[] {
	if (typeof initial === 'boolean') return initial ? ['default yes'] : [];
	const isEmpty = initial === '' || initial === null || typeof initial === 'object';
	if (isEmpty || type.startsWith('resource')) return [];
	if (String(initial).includes('$fromAI(')) return ['filled in by the model'];
	return [`default \`${String(initial).replace(/\s+/g, ' ')}\``];
}

const choicesOf = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter(isChoice);

/** When a field is shown, by the names of those that decide it. */
function conditionOf(field: INodeProperties, around: INodeProperties[]): string {
	const {
		resource: _resource,
		operation: _operation,
		'@tool': tool,
		...own
	} = field.displayOptions?.show ?? {};
	const conditions = Object.entries(own).map(([name, values = []]) => {
		const other = around.find((each) => each.name === name.replace('/', ''));
		const choices = other ? choicesOf(other) : [];
		const words = values.map((value) => {
			if (typeof value === 'boolean') return value ? 'yes' : 'no';
			return choices.find((each) => each.value === value)?.name ?? JSON.stringify(value);
		});
		return `*${other?.displayName ?? name}* is ${words.join(' or ')}`;
	});
	if (tool !== undefined) conditions.push('used as a tool');
	return conditions.length === 0 ? '' : ` Only if ${conditions.join(' and ')}.`;
}

/** A sentence for every text that does not end as one. */
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The name of a choice in saved workflows, unless it is the shown one. */
function choiceText({ name, value, description }: INodePropertyOptions): string {
	const same = name.toLowerCase().replace(/[^a-z0-9]/g, '') === String(value).toLowerCase();
	const about = description === undefined ? '' : ` (${plain(description)})`;
	return `${same ? '' : `\`${String(value)}\` `}${plain(name)}${about}`;
}

/** The fields that a group holds, with those of a choice's parts. */
const membersOf = ({ options = [] }: INodeProperties): INodeProperties[] => [
	...options.filter(isCollection).flatMap(({ values }) => values),
	...options.filter(isField),
];

/** What tells fields apart: all but when they are shown. */
const keyOf = (field: INodeProperties): string =>
	JSON.stringify({ ...field, displayOptions: undefined });

/** Describes fields as nested lists: each field once, with a link to it wherever it is met again. */
export class FieldLists {
	private readonly places = new Map<string, string>();

	/** The fields of the section that `place` links to. */
	of(place: string, fields: INodeProperties[], around = fields, depth = 0): string[] {
		const shown = fields.filter(
			({ type, isNodeSetting }) => type !== 'notice' && isNodeSetting !== true,
		);
		const known = new Map<string, string[]>();
		const lines = shown.flatMap((field) => {
			const before = this.places.get(keyOf(field));
			if (before !== undefined) {
				known.set(before, [...(known.get(before) ?? []), plain(field.displayName)]);
				return [];
			}
			this.places.set(keyOf(field), place);
			return [this.line(field, around, depth), ...this.inner(place, field, around, depth)];
		});
		const again = [...known].map(
			([where, names]) =>
				`${'  '.repeat(depth)}- ${where === place ? 'As above' : `As in ${where}`}: ${[...new Set(names)].join(', ')}`,
		);
		return [...lines, ...again];
	}

	private inner(place: string, field: INodeProperties, around: INodeProperties[], depth: number) {
		const members = membersOf(field);
		return this.of(place, members, [...members, ...around], depth + 1);
	}

	private line(field: INodeProperties, around: INodeProperties[], depth: number): string {
		const { displayName, name, type, required, description, hint } = field;
		const facts = [
			`\`${name}\``,
			typeNames[type] ?? type,
			...(required ? ['required'] : []),
			...(depth > 0 && type === 'boolean' ? [] : defaultOf(field)),
		];
		const choices = choicesOf(field).map(choiceText).join(', ');
		const about = [
			...[description, hint].flatMap((text) => (text === undefined ? [] : [sentence(plain(text))])),
			...(choices === '' ? [] : [`${choices}.`]),
		].join(' ');
		return `${'  '.repeat(depth)}- **${plain(displayName)}** (${facts.join(', ')})${about === '' ? '' : `: ${about}`}${conditionOf(field, around)}`;
	}
}
