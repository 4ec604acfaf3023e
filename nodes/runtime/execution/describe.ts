import type { INodeProperties } from 'n8n-workflow';
import type { Resource } from './operation';
import { fromModel } from '../values/tool';

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

/**
 * The tool description of each operation; by default, n8n sends the model only the action. `@tool`
 * shows the field only in the tool's editor.
 */
function toolDescriptions({ value: resource, operations }: Resource): INodeProperties[] {
	return operations.map(({ value: operation, description }) => ({
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 4 },
		displayOptions: {
			show: { '@tool': [true], resource: [resource], operation: [operation] },
		},
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

/**
 * A required text, and the same for tools, where the model fills it in unless the user does: an
 * empty one would give the model nothing to fill in.
 */
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

/** A field that is described once for several operations. */
interface SharedField {
	/** The field as JSON: equal for equal fields. */
	key: string;
	field: INodeProperties;
	operations: Array<{ resource: string; operation: string }>;
}

const whereOf = (operations: SharedField['operations']) => ({
	resource: [...new Set(operations.map(({ resource }) => resource))],
	operation: [...new Set(operations.map(({ operation }) => operation))],
});

/**
 * Merges fields in their order into shared ones: into an equal one that fits, else before the next that is
 * known. A field that another order has before is in it again.
 */
function mergeInto(
	shared: SharedField[],
	fields: SharedField[],
	fits: (merged: SharedField['operations']) => boolean,
): void {
	let place = 0;
	const knownAt = ({ key, operations }: SharedField) =>
		shared.findIndex(
			(each, index) =>
				index >= place && each.key === key && fits([...each.operations, ...operations]),
		);
	for (const [index, next] of fields.entries()) {
		const known = knownAt(next);
		const later = fields.slice(index + 1).map(knownAt);
		const at = known === -1 ? (later.find((each) => each !== -1) ?? shared.length) : known;
		if (known === -1) shared.splice(at, 0, next);
		else shared[known].operations.push(...next.operations);
		place = at + 1;
	}
}

/**
 * The fields of all operations, each shown for those that have it: every browser that opens the editor
 * downloads the description, so equal fields are in it once where display options, which check resource and
 * operation separately, can select exactly their operations.
 */
export function sharedFields(resources: Resource[]): INodeProperties[] {
	const shared: SharedField[] = [];
	const all = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value: operation }) => ({ resource, operation })),
	);
	const isExact = (operations: SharedField['operations']) => {
		const where = whereOf(operations);
		const shown = all.filter(
			(each) => where.resource.includes(each.resource) && where.operation.includes(each.operation),
		);
		return shown.length === operations.length;
	};
	for (const { value: resource, operations } of resources) {
		const own: SharedField[] = [];
		for (const { value: operation, fields } of operations) {
			const chain = fields.map((field) => ({
				key: JSON.stringify(field),
				field,
				operations: [{ resource, operation }],
			}));
			mergeInto(own, chain, () => true);
		}
		mergeInto(shared, own, isExact);
	}
	return shared.map(({ field, operations }) => {
		const { show, ...rest } = field.displayOptions ?? {};
		return { ...field, displayOptions: { ...rest, show: { ...whereOf(operations), ...show } } };
	});
}

/**
 * Describes the node's parameters: resource, operation, and the fields of each operation. n8n lists
 * options in the given order.
 */
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
		...sharedFields(resources).flatMap(withToolField),
	];
}

/** Parameters that show what a node works on, the most specific first. */
const targets = ['url', 'urls', 'query', 'prompt'];

/** Most characters of such a parameter below a node, which has place for fewer. */
const longestTarget = 100;

/**
 * The expression of the text below a node on the canvas: the label of what it does, and its URL,
 * query or prompt unless an expression gives it.
 * @param key the expression of a key of `labels`
 */
export function subtitleBy(labels: Readonly<Record<string, string>>, key: string): string {
	const given = targets.map((name) => `$rawParameter["${name}"]`).join(', ');
	const isFixed = '(text) => text && !String(text).startsWith("=")';
	const shorten = `(text) => ": " + String(text).trim().replace(/^https?:[/][/](www[.])?/i, "").slice(0, ${longestTarget})`;
	const target = `[${given}].filter(${isFixed}).slice(0, 1).map(${shorten}).join("")`;
	return `={{ (${JSON.stringify(labels)})[${key}] + ${target} }}`;
}
