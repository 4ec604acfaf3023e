import type { IHookFunctions, INode, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { Values } from '../operation';
import { modelKeyOf } from '../tool/tool';
import { fromJson } from '../values/json';
import { isRecord, isBlank } from '../values/record';

/** Levels of a stored parameter that are searched; the editor's fields have far fewer. */
const searchedLevels = 50;

const isExpression = (stored: unknown) => typeof stored === 'string' && stored.startsWith('=');

/** Whether a stored parameter has no expression, so that it is the same for every item. */
function isConstant(stored: unknown, levels = searchedLevels): boolean {
	if (isExpression(stored)) return false;
	if (typeof stored !== 'object' || stored === null) return true;
	return levels > 0 && Object.values(stored).every((entry) => isConstant(entry, levels - 1));
}

/** Replaces what an expression resolves to by null if it is nothing, unlike a field that is not set. */
function withNulls(stored: unknown, value: unknown, levels = searchedLevels): unknown {
	if (isExpression(stored)) return isBlank(value) ? null : value;
	if (levels === 0) return value;
	if (Array.isArray(stored) && Array.isArray(value)) {
		return value.map((entry, index) => withNulls(stored[index], entry, levels - 1));
	}
	if (!isRecord(stored) || !isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [
			name,
			withNulls(stored[name], entry, levels - 1),
		]),
	);
}

/** Unwraps a model's argument that holds all its arguments as JSON. */
function unnested(stored: unknown, value: unknown): unknown {
	const key = modelKeyOf(stored);
	if (key === undefined || typeof value !== 'string') return value;
	const nested = fromJson(value);
	return isRecord(nested) && Object.hasOwn(nested, key) ? nested[key] : value;
}

/** Reads the named parameters of items; those without expressions once for all. Omits those that are not stored. */
export function parameterReader(
	{ parameters }: INode,
	names: string[],
	resolve: (name: string, itemIndex: number) => unknown,
): (itemIndex: number) => Values {
	const read = (name: string, itemIndex: number) =>
		withNulls(parameters[name], unnested(parameters[name], resolve(name, itemIndex)));
	const unique = [...new Set(names)].filter((name) => parameters[name] !== undefined);
	const constant = unique.filter((name) => isConstant(parameters[name]));
	const varying = unique.filter((name) => !isConstant(parameters[name]));
	const shared = Object.fromEntries(constant.map((name) => [name, read(name, 0)]));
	return (itemIndex) => {
		const own = varying.map((name) => [name, read(name, itemIndex)]);
		// Not a spread, after which each further field takes V8 long (`label`).
		return Object.assign({}, shared, Object.fromEntries(own));
	};
}

/** Reads the named parameters of a trigger, which has no items. */
export const triggerParameters = (
	context: IHookFunctions | IPollFunctions | IWebhookFunctions,
	names: string[],
): Values =>
	parameterReader(context.getNode(), names, (name) => context.getNodeParameter(name, null))(0);
