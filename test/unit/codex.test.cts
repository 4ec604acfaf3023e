import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/v3';
import { creatorWords } from '../n8n/creatorWords.cjs';
import { projectRoot } from '../root.cjs';

/**
 * The categories that n8n's rule valid-node-categories allows to community nodes; `AI` would demand
 * subcategories (https://docs.n8n.io/connect/create-nodes/build-your-node/reference/codex-files/#node-categories).
 */
const allowed = [
	'Analytics',
	'Communication',
	'Data & Storage',
	'Development',
	'Finance & Accounting',
	'Marketing & Content',
	'Miscellaneous',
	'Productivity',
	'Sales',
	'Utility',
];

const codex = z
	.object({
		node: z.string(),
		nodeVersion: z.literal('1.0'),
		codexVersion: z.literal('1.0'),
		categories: z.array(z.string()).nonempty(),
		alias: z.array(z.string()),
	})
	.strict();

const manifest = z
	.object({ name: z.string(), n8n: z.object({ nodes: z.array(z.string()) }) })
	.parse(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')));

const codexOf = (node: string) => {
	const file = node.replace('dist/', '').replace(/\.js$/, '.json');
	return codex.parse(JSON.parse(readFileSync(join(projectRoot, file), 'utf8')));
};

describe.each(manifest.n8n.nodes)('the codex of %s', (node) => {
	const found = codexOf(node);

	// n8n shows a trigger below the action node of its package, so that each is looked for by the words of all.
	it('has every word that people look for, as every node of the package', () => {
		expect(creatorWords.filter((words) => !found.alias.includes(words))).toEqual([]);
		expect(found.alias).toEqual(codexOf(manifest.n8n.nodes[0]).alias);
	});

	it('names only categories that n8n allows to community nodes', () => {
		expect(found.categories.filter((category) => !allowed.includes(category))).toEqual([]);
	});

	it('names the type of the node as workflows do', () => {
		const [name] = /[^/]+(?=\.node\.js$)/.exec(node) ?? [];
		const type = `${name?.charAt(0).toLowerCase()}${name?.slice(1)}`;
		expect(found.node).toBe(`${manifest.name}.${type}`);
	});

	it('has each alias once, in the form in which people type it', () => {
		expect(found.alias).toEqual([...new Set(found.alias)]);
		for (const alias of found.alias) expect(alias).toMatch(/^[a-z0-9]+( [a-z0-9]+)*$/);
	});
});
