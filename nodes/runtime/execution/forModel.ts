import type { INodeProperties } from 'n8n-workflow';
import { withoutItemMark } from '../api/errors';
import { labelOf } from '../api/displayName';
import { modelKeyOf } from '../host/modelKey';
import { isRecord } from '../values/record';

/** Levels of a stored parameter that are searched. */
const searchedLevels = 5;

/** The names of the parameters that a model fills, with its own names for them. */
function modelKeysIn(parameters: unknown, levels = searchedLevels): Array<[string, string]> {
	if (levels === 0 || !(isRecord(parameters) || Array.isArray(parameters))) return [];
	return Object.entries(parameters).flatMap(([name, stored]): Array<[string, string]> => {
		const key = modelKeyOf(stored);
		return key === undefined ? modelKeysIn(stored, levels - 1) : [[name, key]];
	});
}

/** A label of the editor in a text. */
const label = /'[A-Z][\w /()>-]{1,60}'/;

/** Sorts advice: first for the model, then for its user, who can change the fields of the editor. */
function sorted(advice: string): string {
	const sentences = advice.split('. ').map((text) => (text.endsWith('.') ? text : `${text}.`));
	const own = sentences.filter((sentence) => !label.test(sentence));
	const others = sentences.filter((sentence) => label.test(sentence));
	const forUser = others.length === 0 ? [] : ['You cannot fix this; tell the user:', ...others];
	return [...own, ...forUser].join(' ');
}

/** The message and the advice of an error for a model, which knows only the names that it fills. */
export function forModel(
	{ message, description }: { message: string; description?: string | null },
	parameters: unknown,
	fields: readonly INodeProperties[],
): { error: string; advice: string } {
	const keys = modelKeysIn(parameters).map(
		([name, key]) => [`'${labelOf(fields, name)}'`, `'${key}'`] as const,
	);
	const named = (text: string) =>
		keys.reduce((result, [label, key]) => result.replaceAll(label, () => key), text);
	const advice = named(description ?? '');
	return { error: named(withoutItemMark(message)), advice: advice === '' ? '' : sorted(advice) };
}
