declare module 'esprima-next' {
	/** Parses a script. Each node of the tree has its `type` and its `range` in the code. */
	export function parseScript(code: string, options: { range: true }): unknown;
}
