/** An object with unknown fields. */
export type JsonRecord = Record<string, unknown>;

/** Whether a value is a plain object: no list, date or other built-in. */
export const isRecord = (value: unknown): value is JsonRecord =>
	Object.prototype.toString.call(value) === '[object Object]';

/** Returns an object's own field; undefined for other values. */
export const fieldOf = (value: unknown, name: string): unknown =>
	isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Picks the defined fields of these names. */
export const fieldsNamed = (record: Readonly<JsonRecord>, ...names: string[]): JsonRecord =>
	Object.fromEntries(
		names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])),
	);

/** Returns a property of any object, also an inherited one; undefined for other values. */
export const propertyOf = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Sets an object's own field: assigning `__proto__` would set the prototype. */
export function setField(record: object, name: string, value: unknown): void {
	Object.defineProperty(record, name, {
		value,
		configurable: true,
		enumerable: true,
		writable: true,
	});
}
