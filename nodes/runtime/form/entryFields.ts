import type { INodeProperties } from 'n8n-workflow';
import type { JsonRecord } from '../values/record';

/** Editor fields of an entry of a list, by the entry's type. */
type EditorFields = readonly INodeProperties[];

/** A field of an entry that belongs to other types. */
export interface Stray {
	name: string;
	types: string[];
}

const typesOf = ({ displayOptions }: INodeProperties): string[] | undefined =>
	displayOptions?.show?.type?.map(String);

const inOptions = ({ name, options = [] }: INodeProperties): string[] =>
	name === 'options' ? options.map((option) => option.name) : [];

/** Cache of `typesByName`, which runs for each entry of each item. */
const known = new WeakMap<EditorFields, Map<string, string[]>>();

/** Maps each field to the types that have it, including those below Options. A field without types belongs to all. */
function typesByName(editor: EditorFields): Map<string, string[]> {
	const before = known.get(editor);
	if (before) return before;
	const found = new Map<string, string[]>();
	for (const field of editor) {
		const types = typesOf(field);
		if (types === undefined) continue;
		for (const name of [field.name, ...inOptions(field)]) {
			found.set(name, [...new Set([...(found.get(name) ?? []), ...types])]);
		}
	}
	known.set(editor, found);
	return found;
}

const written = (value: unknown) => JSON.stringify(value);

const isUntouched = (name: string, value: unknown, editor: EditorFields) =>
	editor.some((field) => field.name === name && written(field.default) === written(value));

/**
 * Removes the untouched fields of other types from an entry: n8n stores every field with its default if the
 * type is an expression.
 */
export function withoutDefaults(entry: JsonRecord, type: string, editor: EditorFields): JsonRecord {
	const types = typesByName(editor);
	return Object.fromEntries(
		Object.entries(entry).filter(
			([name, value]) =>
				types.get(name)?.includes(type) !== false || !isUntouched(name, value, editor),
		),
	);
}

/** Lists the fields of an entry that belong to other types. */
export function fieldsOfOtherTypes(
	fields: JsonRecord,
	type: string,
	editor: EditorFields,
): Stray[] {
	const byName = typesByName(editor);
	return Object.keys(fields).flatMap((name) => {
		const types = byName.get(name) ?? [type];
		return types.includes(type) ? [] : [{ name, types }];
	});
}
