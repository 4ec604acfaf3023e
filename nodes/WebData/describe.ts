import type { INodeProperties } from 'n8n-workflow';
import type { Resource } from '../runtime/operation';
import { fromModel } from '../runtime/tool/tool';

/** The first sentence of a tool's description, which the editor shows below the operation's name. */
const firstSentence = (description: string): string => description.split(/\.(?: |$)/, 1)[0];

function operationField({ value: resource, operations }: Resource): INodeProperties {
	const [{ value: first }] = operations;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		default: first,
		options: operations.map(({ name, value, action, description }) => ({
			name,
			value,
			action,
			description: firstSentence(description),
		})),
	};
}

/** The tool description of each operation, shown in the tool's editor; n8n's default is the action alone. */
function toolDescriptions({ value: resource, operations }: Resource): INodeProperties[] {
	return operations.map(({ value: operation, description }) => ({
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 4 },
		displayOptions: { show: { '@tool': [true], resource: [resource], operation: [operation] } },
		default: description,
		description: 'When to use this tool, and what it returns',
	}));
}

/** The name of a field for models: its name in the editor, which results have, too: `scrapeId`. */
const modelName = ({ displayName }: INodeProperties): string =>
	displayName
		.split(/[^A-Za-z0-9]+/)
		.map((word, index) =>
			index === 0 ? word.toLowerCase() : word[0] + word.slice(1).toLowerCase(),
		)
		.join('');

/** A required text, and the same for tools, where the model fills it in unless the user does. */
function withToolField(field: INodeProperties): INodeProperties[] {
	const { required, type, default: initial, displayOptions, noDataExpression } = field;
	if (!required || type !== 'string' || initial !== '' || noDataExpression) return [field];
	const { show, hide } = displayOptions ?? {};
	return [
		{ ...field, displayOptions: { show, hide: { ...hide, '@tool': [true] } } },
		{
			...field,
			default: fromModel(modelName(field), field.description ?? ''),
			displayOptions: { show: { ...show, '@tool': [true] }, ...(hide && { hide }) },
		},
	];
}

/** The fields of operations: equal ones once, as low as any has them, because each browser downloads the description. */
export function fieldsOf({ value: resource, operations }: Resource): INodeProperties[] {
	const shared = new Map<string, { field: INodeProperties; operation: string[]; place: number }>();
	for (const { value, fields } of operations) {
		for (const [index, field] of fields.entries()) {
			const key = JSON.stringify(field);
			const { operation, place } = shared.get(key) ?? { operation: [], place: 0 };
			shared.set(key, { field, operation: [...operation, value], place: Math.max(place, index) });
		}
	}
	return [...shared.values()]
		.sort((one, other) => one.place - other.place)
		.map(({ field, operation }) => {
			const { show, ...rest } = field.displayOptions ?? {};
			const displayOptions = { ...rest, show: { resource: [resource], operation, ...show } };
			return { ...field, displayOptions };
		});
}

/** Describes the node's parameters: resource, operation, and the fields of each operation. */
export function describe(resources: Resource[]): INodeProperties[] {
	const [{ value: first }] = resources;
	const resourceField: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		default: first,
		options: resources.map(({ name, value }) => ({ name, value })),
	};
	return [
		resourceField,
		...resources.map(operationField),
		...resources.flatMap(toolDescriptions),
		...resources.flatMap(fieldsOf).flatMap(withToolField),
	];
}

/** Parameters that show what a node works on, the most specific first. */
const targets = ['url', 'urls', 'query', 'prompt'];

/** Most characters of such a parameter below a node: n8n cuts more. */
const longestTarget = 40;

/**
 * The expression of the text below a node on the canvas: its URL, the number of its URLs, its query or
 * prompt; the label of what it does where an expression gives it, since n8n names a node by its action.
 * @param key the expression of a key of `labels`
 */
export function subtitleBy(labels: Readonly<Record<string, string>>, key: string): string {
	const given = targets.map((name) => `$rawParameter["${name}"]`).join(', ');
	const isFixed = '(text) => text && !String(text).startsWith("=")';
	const words = '(text) => String(text).split(/[,\\s]+/).filter(Boolean)';
	const isList = 'all.length > 1 && all.every((each) => /^https?:/i.test(each))';
	const first = `all.join(" ").replace(/^https?:[/][/](www[.])?/i, "").slice(0, ${longestTarget})`;
	const shown = `(all) => ${isList} ? all.length + " URLs" : ${first}`;
	const target = `[${given}].filter(${isFixed}).map(${words}).map(${shown})[0]`;
	return `={{ ${target} || (${JSON.stringify(labels)})[${key}] }}`;
}
