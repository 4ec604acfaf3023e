import type { INodeProperties } from 'n8n-workflow';
import type { Operation, Resource } from './operation';
import { dedupeFields } from './dedupeFields';

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
			description,
		})),
	};
}

/**
 * What an AI model is told of the operation when the node is its tool: left to itself, n8n would tell it
 * the action alone. `@tool` shows the field in the tool's editor only.
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
		description: 'What the AI model is told of this tool: when to use it, and what it returns',
	}));
}

/**
 * The node's parameters: resource, operation, and each operation's fields shown for it alone. n8n lists resources,
 * operations and actions in the order of the options, so these keep the order that they are given in.
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
		...dedupeFields(resources),
	];
}

/** The operation chosen in the node, or undefined when this version does not know it. */
export const findOperation = (
	resources: Resource[],
	resource: unknown,
	operation: unknown,
): Operation | undefined =>
	resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
