import type { INodeProperties } from 'n8n-workflow';
import type { JsonRecord } from '../values/record';

/** Fields that the editor shows for an entry of a list, by the entry's type. */
type EditorFields = readonly INodeProperties[];

/** A member of an entry of one type that is a field of others. */
export interface Stray {
	name: string;
	types: string[];
}

const typesOf = ({ displayOptions }: INodeProperties): string[] | undefined =>
	displayOptions?.show?.type?.map(String);

const inOptions = ({ name, options = [] }: INodeProperties): string[] =>
	name === 'options' ? options.map((option) => option.name) : [];

/** What `typesByName` has found: it is asked for each entry of each item. */
const known = new WeakMap<EditorFields, Map<string, string[]>>();

/** The types that have each field, those of their Options included; a field without types is one of all. */
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
 * An entry without the fields of other types that the user left alone: n8n stores every field with its
 * default when the type is an expression.
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

/** The members of an entry of this type that are fields of other types. */
export function fieldsOfOtherTypes(
	members: JsonRecord,
	type: string,
	editor: EditorFields,
): Stray[] {
	const byName = typesByName(editor);
	return Object.keys(members).flatMap((name) => {
		const types = byName.get(name) ?? [type];
		return types.includes(type) ? [] : [{ name, types }];
	});
}
