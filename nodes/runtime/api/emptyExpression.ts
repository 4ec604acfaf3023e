import type { INode } from 'n8n-workflow';
import { isFilledByModel } from '../host/tool';
import { fieldOf, isRecord } from '../values/record';

/** Most characters of an expression in a message. */
const longestExpression = 120;

const valueAt = (stored: unknown, path: ReadonlyArray<string | number>): unknown =>
	path.reduce<unknown>((value, name) => fieldOf(value, String(name)), stored);

type Path = ReadonlyArray<string | number>;

/**
 * The stored expression of the parameter at a path of the request, which a group of the editor may
 * hold, or which may stand beside the field that it belongs to; undefined if the parameter has none.
 */
function storedExpression({ parameters }: Pick<INode, 'parameters'>, path: Path) {
	const groups: unknown[] = Object.values(parameters).filter(isRecord);
	return [
		...[parameters, ...groups].map((group) => valueAt(group, path)),
		valueAt(parameters, path.slice(1)),
	].find((value): value is string => typeof value === 'string' && value.startsWith('='));
}

/** Whether an AI model fills in the parameter at a path of the request. */
export const isFromModel = (node: Pick<INode, 'parameters'>, path: Path): boolean =>
	isFilledByModel(storedExpression(node, path) ?? '');

/** The user's expression of the parameter at a path of the request; undefined if it has none. */
export function expressionAt(node: Pick<INode, 'parameters'>, path: Path): string | undefined {
	const stored = storedExpression(node, path);
	// A model reads the message, and cannot change its expression.
	if (stored === undefined || isFilledByModel(stored)) return undefined;
	const expression = stored.slice(1).trim();
	return expression.length > longestExpression
		? `${expression.slice(0, longestExpression)}…`
		: expression;
}
