/** A JSON value. In parameters of nodes, text that begins with `=` is an expression of n8n. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
	[name: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object, or an empty one for any other value. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The list, or an empty one for any other value. */
export const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** The text, or an empty one for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What stands at a place in nested objects; undefined if there is nothing. */
export const at = (value: Json | undefined, ...place: string[]): Json | undefined =>
	place.reduce<Json | undefined>((found, name) => ownOf(objectOf(found), name), value);

/** What a record has under a name; not what every object has. */
export const ownOf = <Value,>(record: Record<string, Value>, name: unknown): Value | undefined =>
	typeof name === 'string' && Object.hasOwn(record, name) ? record[name] : undefined;

/** The object without fields that are undefined. */
export const defined = (fields: Record<string, Json | undefined>): JsonObject =>
	Object.fromEntries(
		Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
	);

/** The object without the named fields. */
export const omit = (object: JsonObject, ...names: string[]): JsonObject =>
	Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** The value with each text in it replaced; `change` gets its place. */
export function mapTexts(
	value: Json,
	change: (text: string, place: string[]) => Json,
	place: string[] = [],
): Json {
	if (typeof value === 'string') return change(value, place);
	if (Array.isArray(value)) {
		return value.map((entry, index) => mapTexts(entry, change, [...place, String(index)]));
	}
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [name, mapTexts(entry, change, [...place, name])]),
	);
}
