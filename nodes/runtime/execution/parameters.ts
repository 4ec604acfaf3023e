import type { IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';
import type { Values } from '../operation/operation';

/** How deep a stored parameter is searched; far deeper than the editor's fields go. */
const searchedLevels = 50;

/** Whether a stored parameter holds no expression anywhere, so that it is the same for every item. */
function isConstant(stored: unknown, levels = searchedLevels): boolean {
	if (typeof stored === 'string') return !stored.startsWith('=');
	if (typeof stored !== 'object' || stored === null) return true;
	return levels > 0 && Object.values(stored).every((member) => isConstant(member, levels - 1));
}

/**
 * Reads the named parameters of an item, each once. What holds no expression is read for the first
 * item and shared: resolving is a good part of what an item costs.
 */
export function parameterReader(
	context: IExecuteFunctions,
	names: string[],
): (itemIndex: number) => Values {
	const { parameters } = context.getNode();
	const read = (name: string, itemIndex: number): NodeParameterValueType | object =>
		context.getNodeParameter(name, itemIndex, null);
	const unique = [...new Set(names)].filter((name) => parameters[name] !== undefined);
	const constant = unique.filter((name) => isConstant(parameters[name]));
	const varying = unique.filter((name) => !isConstant(parameters[name]));
	const shared = Object.fromEntries(constant.map((name) => [name, read(name, 0)]));
	return (itemIndex) =>
		varying.length === 0
			? shared
			: { ...shared, ...Object.fromEntries(varying.map((name) => [name, read(name, itemIndex)])) };
}
