import type { INode, INodeParameters } from 'n8n-workflow';
import { parameterReader } from '../../../../nodes/runtime/execution/parameters';

/** Reads a node's parameters, and notes what is resolved for which item. */
function readerWith(
	names: string[],
	parameters: INodeParameters,
	values: Record<string, unknown> = {},
) {
	const resolved: string[] = [];
	const read = parameterReader({ parameters } as INode, names, (name, itemIndex) => {
		resolved.push(`${name} ${itemIndex}`);
		return values[name] ?? `${name} of item ${itemIndex}`;
	});
	return { read, resolved };
}

describe('Reading parameters', () => {
	it('resolves expressions for each item and the rest once', () => {
		const names = ['query', 'limit', 'more', 'plain', 'limit', 'absent'];
		const { read, resolved } = readerWith(names, {
			query: '={{ $json.q }}',
			limit: 10,
			more: { list: [{ deep: '={{ $json.x }}' }] },
			plain: { list: [{ deep: 'a = b' }], nothing: null },
		});
		expect([0, 1].map(read)).toEqual(
			[0, 1].map((item) => ({
				query: `query of item ${item}`,
				limit: 'limit of item 0',
				more: `more of item ${item}`,
				plain: 'plain of item 0',
			})),
		);
		const once = ['limit 0', 'plain 0'];
		expect([...resolved].sort()).toEqual(
			[...once, 'more 0', 'more 1', 'query 0', 'query 1'].sort(),
		);
	});

	it('distinguishes an empty expression from an empty field', () => {
		const expression = '={{ $json.x }}';
		const stored = {
			group: { a: expression, b: expression, c: '', d: {}, list: [{ e: expression }] },
		};
		const { read } = readerWith(['group'], stored, {
			group: { a: undefined, b: {}, c: '', d: {}, list: [{ e: '' }] },
		});

		expect(read(0)).toEqual({ group: { a: null, b: null, c: '', d: {}, list: [{ e: null }] } });
	});
});
