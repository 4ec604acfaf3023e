import { convert } from '../../../tools/convert/convert.cjs';
import { InputError, parseWorkflow, readWorkflow } from '../../../tools/convert/workflow.cjs';
import type { JsonObject } from '../../../tools/convert/json.cjs';
import { converted, workflowOf, type Sketch } from './build.cjs';

const page: Sketch = ['Page', 'firecrawl', { url: 'https://tidewatch.example/' }];
const stored = { name: 'Page', type: 'x' };

describe('Input', () => {
	it.each([
		['empty text', ' ', 'nothing to convert'],
		['other text', 'Hello', 'no JSON'],
		['other JSON', '{"name":"x"}', 'no list "nodes"'],
		['a list', '[1]', 'no list "nodes"'],
		['a node without type', '{"nodes":[{"name":"x"}]}', 'Node 1 has no name or no type'],
		['a node that is text', '{"nodes":["x"]}', 'Node 1 has no name or no type'],
		['two nodes of one name', { nodes: [stored, stored] }, 'Two nodes have the name "Page"'],
		['many nodes', { nodes: Array.from({ length: 2001 }, () => stored) }, '2001 nodes'],
		['much text', ' '.repeat(10_000_001) + '{}', 'more than 10,000,000 characters'],
		['deep', `{"nodes":[${'['.repeat(600)}1${']'.repeat(600)}]}`, '500 levels at most'],
		['several workflows', [{ nodes: [] }, { nodes: [] }], 'These are 2 workflows: convert one'],
	])('that is %s gives a clear error', (_name, given, message) => {
		const text = typeof given === 'string' ? given : JSON.stringify(given);

		expect(() => parseWorkflow(text)).toThrow(InputError);
		expect(() => parseWorkflow(text)).toThrow(message);
	});

	const workflow = workflowOf([page]);

	it.each<[string, unknown]>([
		['by itself', workflow],
		['as a list', [workflow]],
	])('is read behind a byte order mark: %s', (_name, given) => {
		expect(parseWorkflow(`\uFEFF${JSON.stringify(given)}`).nodes).toHaveLength(2);
	});

	it('with odd connections and parameters converts without an error', () => {
		const request = { type: 'n8n-nodes-base.httpRequest', parameters: { url: 5, options: [] } };
		const odd = readWorkflow({
			nodes: [
				{ name: '__proto__', type: 'n8n-nodes-base.set', parameters: null, position: 'x' },
				{ ...workflow.nodes[1], parameters: { operation: 'constructor', url: 5 } },
				{ ...request, name: 'H' },
			],
			connections: { Page: { main: [null, [{ node: 'Page', type: 'main', index: 0 }, 7]] }, X: 3 },
		});

		expect(convert(odd).report.rows.map(({ state }) => state)).toEqual(['kept']);
	});

	it.each<[what: string, parameters: JsonObject, reason: string]>([
		['no end', { url: '={{ $json.(( }}' }, 'The expression {{ $json.(( }} cannot be parsed.'],
		[
			'deep JSON',
			{ useCustomBody: true, customBody: `${'['.repeat(600)}1${']'.repeat(600)}` },
			'Its custom body is no JSON object that can be read.',
		],
	])('with %s in a parameter converts without an error, and says so', (_what, given, reason) => {
		const { report } = converted([['Page', 'firecrawl', { operation: 'scrape', ...given }]]);

		expect(report.rows[0].reasons).toEqual([reason]);
	});

	it('is not changed', () => {
		const before = structuredClone(workflow);

		convert(workflow);

		expect(workflow).toEqual(before);
	});
});

describe('Code without end', () => {
	it.each([
		['a chain', `$json${'.a'.repeat(40_000)}`],
		['calls', `$json.a${'.b()'.repeat(20_000)}`],
		['a chain of something else', `x${'.a(y.z)'.repeat(10_000)}`],
		['a sum', `1${' + 1'.repeat(60_000)}`],
		['parentheses', `${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
	])('is no reason to stop: %s', (_name, text) => {
		const { report } = converted([page, ['Result', 'set', { text: `={{ ${text} }}` }]]);

		expect(report.rows).toHaveLength(1);
	});

	it('in many nodes of similar names is read once', () => {
		const pages = Array.from({ length: 300 }, (_, index): Sketch => [`a${index}`, 'firecrawl', {}]);
		const sets = pages.map(([name]): Sketch => {
			const text = `={{ $('a1').item.json.data.markdown + ${name} }}`;
			return [`set ${name}`, 'set', { text }];
		});

		expect(converted([...pages, ...sets]).report.rows).toHaveLength(300);
	});
});
