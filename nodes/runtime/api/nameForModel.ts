import type { INodeProperties } from 'n8n-workflow';
import { modelKeyOf } from '../host/tool';
import { isRecord } from '../values/record';
import { labelOf } from './displayName';

/** A parameter that a model fills in: its name, its label in the editor, and the model's own key. */
interface FilledField {
	name: string;
	label: string;
	key: string;
}

/** Levels of a stored parameter that are searched. */
const searchedLevels = 5;

/** The parameters that a model fills in, with its own names for them. */
export function filledFields(
	parameters: unknown,
	fields: readonly INodeProperties[],
	levels = searchedLevels,
): FilledField[] {
	if (levels === 0 || !(isRecord(parameters) || Array.isArray(parameters))) return [];
	return Object.entries(parameters).flatMap(([name, stored]): FilledField[] => {
		const key = modelKeyOf(stored);
		return key === undefined
			? filledFields(stored, fields, levels - 1)
			: [{ name, label: labelOf(fields, name), key }];
	});
}

/**
 * The name of a field for the model that filled it in: its own key, then the steps within its value,
 * as in `urls[1]`. Undefined for a field of the editor.
 */
export function nameForModel(
	parameters: unknown,
	fields: readonly INodeProperties[],
	path: ReadonlyArray<string | number>,
): string | undefined {
	const filled = filledFields(parameters, fields);
	for (const [index, step] of path.entries()) {
		const field = filled.find(({ name, label }) => name === step || label === step);
		if (field) {
			const within = path.slice(index + 1);
			return (
				field.key +
				within.map((inner) => (typeof inner === 'number' ? `[${inner}]` : `.${inner}`)).join('')
			);
		}
	}
	return undefined;
}
