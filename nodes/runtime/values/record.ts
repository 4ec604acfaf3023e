/** A plain object with unknown members. */
export type JsonRecord = Record<string, unknown>;

/** Whether a value is an object with members, and no list, date or other built-in. */
export const isRecord = (value: unknown): value is JsonRecord =>
	Object.prototype.toString.call(value) === '[object Object]';

/** An own member of a record; undefined of anything else. */
export const fieldOf = (value: unknown, name: string): unknown =>
	isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The members of a record that have these names, those that it has. */
export const fieldsNamed = (record: Readonly<JsonRecord>, ...names: string[]): JsonRecord =>
	Object.fromEntries(
		names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])),
	);

/** A property of an object of any kind, also one of its class; undefined of anything else. */
export const propertyOf = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Gives a record a member of its own: assigned, a member `__proto__` would be the record's prototype. */
export function setField(record: object, name: string, value: unknown): void {
	Object.defineProperty(record, name, {
		value,
		configurable: true,
		enumerable: true,
		writable: true,
	});
}
