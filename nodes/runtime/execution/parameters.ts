import type {
	IExecuteFunctions,
	IHookFunctions,
	INode,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { Values } from '../operation/operation';
import { isBlank } from '../form/schema';
import { isRecord } from '../values/record';

/** How deep a stored parameter is searched; far deeper than the editor's fields go. */
const searchedLevels = 50;

const isExpression = (stored: unknown) => typeof stored === 'string' && stored.startsWith('=');

/** Whether a stored parameter holds no expression anywhere, so that it is the same for every item. */
function isConstant(stored: unknown, levels = searchedLevels): boolean {
	if (isExpression(stored)) return false;
	if (typeof stored !== 'object' || stored === null) return true;
	return levels > 0 && Object.values(stored).every((member) => isConstant(member, levels - 1));
}

/**
 * A resolved parameter with null wherever an expression has come to nothing: to undefined, null, an empty text
 * or object. So it differs from what was never set, and from what the editor shows empty.
 */
function withNulls(stored: unknown, value: unknown, levels = searchedLevels): unknown {
	if (isExpression(stored)) return isBlank(value) ? null : value;
	if (levels === 0) return value;
	if (Array.isArray(stored) && Array.isArray(value)) {
		return value.map((entry, index) => withNulls(stored[index], entry, levels - 1));
	}
	if (!isRecord(stored) || !isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [
			name,
			withNulls(stored[name], member, levels - 1),
		]),
	);
}

/** Reads the named parameters of an item, each once; those that are not stored are not among them. */
function readerOf(
	{ parameters }: INode,
	names: string[],
	resolve: (name: string, itemIndex: number) => unknown,
): (itemIndex: number) => Values {
	const read = (name: string, itemIndex: number) =>
		withNulls(parameters[name], resolve(name, itemIndex));
	const unique = [...new Set(names)].filter((name) => parameters[name] !== undefined);
	const constant = unique.filter((name) => isConstant(parameters[name]));
	const varying = unique.filter((name) => !isConstant(parameters[name]));
	const shared = Object.fromEntries(constant.map((name) => [name, read(name, 0)]));
	return (itemIndex) =>
		varying.length === 0
			? shared
			: { ...shared, ...Object.fromEntries(varying.map((name) => [name, read(name, itemIndex)])) };
}

/**
 * Reads the named parameters of an item. What holds no expression is read for the first item and shared:
 * resolving is a good part of what an item costs.
 */
export const parameterReader = (
	context: IExecuteFunctions,
	names: string[],
): ((itemIndex: number) => Values) =>
	readerOf(context.getNode(), names, (name, itemIndex) =>
		context.getNodeParameter(name, itemIndex, null),
	);

/** Reads the named parameters of a trigger, which has no items. */
export const triggerParameters = (
	context: IHookFunctions | IPollFunctions | IWebhookFunctions,
	names: string[],
): Values => readerOf(context.getNode(), names, (name) => context.getNodeParameter(name, null))(0);
