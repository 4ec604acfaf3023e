/** The package's own types are for ES modules only. */
declare module 'flatted' {
	export function parse<Value>(text: string): Value;
	export function stringify(value: unknown): string;
}
