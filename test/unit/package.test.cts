import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/v3';
import { WebDataApi } from '../../credentials/WebDataApi.credentials.js';
import { author, bugs, homepage, n8n, name as packageName, repository } from '../../package.json';
import { creatorWords, watchWords } from '../n8n/creatorWords.cjs';
import { projectRoot } from '../root.cjs';

const textOf = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

/** Where the package lives and who keeps it: nobody's until the first publication, so that one file has it. */
const [, home = '', owner = ''] =
	/^git\+(https:\/\/[^/]+\/([^/]+)\/.+)\.git$/.exec(repository.url) ?? [];
const credentialPage = `${home}/blob/main/README.md#credential`;

describe('the addresses of the package', () => {
	it('stand in package.json, and agree', () => {
		expect(home).toContain(owner);
		expect([homepage, bugs.url]).toEqual([`${home}#readme`, `${home}/issues`]);
	});

	it('are named by no other file but the credential, which must', () => {
		const folders = ['.github', 'bench', 'credentials', 'docs', 'examples', 'nodes'];
		const sources = [...folders, 'scripts', 'test', 'tools']
			.flatMap((folder) =>
				readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
					join(folder, file),
				),
			)
			.concat(readdirSync(projectRoot))
			.filter((file) => /\.(md|json|m?[jt]s|cts|cjs|ya?ml|svg)$/.test(file))
			.filter((file) => !/^package(-lock)?\.json$/.test(file));
		expect(sources).toContain('SECURITY.md');
		const naming = sources.filter((file) => {
			const text = textOf(file);
			return [home, author.email].some((address) => text.includes(address));
		});
		expect(naming).toEqual([join('credentials', 'WebDataApi.credentials.ts')]);
	});

	it('lead from the credential to its documentation', () => {
		expect(new WebDataApi().documentationUrl).toBe(credentialPage);
		expect(textOf('README.md')).toMatch(/^#+ Credential$/m);
	});
});

/** The categories that n8n's rule valid-node-categories allows to community nodes; `AI` would demand subcategories. */
const categories = [
	...['Analytics', 'Communication', 'Data & Storage', 'Development', 'Finance & Accounting'],
	...['Marketing & Content', 'Miscellaneous', 'Productivity', 'Sales', 'Utility'],
] as [string, ...string[]];

const codex = z
	.object({
		node: z.string(),
		nodeVersion: z.literal('1.0'),
		codexVersion: z.literal('1.0'),
		categories: z.array(z.enum(categories)).nonempty(),
		alias: z.array(z.string().regex(/^[a-z0-9]+( [a-z0-9]+)*$/)),
	})
	.strict();

const sourceOf = (file: string) => file.replace('dist/', '').replace(/\.js$/, '.json');
const codexOf = (file: string) => codex.parse(JSON.parse(textOf(sourceOf(file))));

describe('the words by which the nodes are found', () => {
	const [ofNode, ...ofTriggers] = n8n.nodes.map((file) => codexOf(file).alias);

	it('are all that people look for', () => {
		const all = [ofNode, ...ofTriggers].flat();
		expect(creatorWords.filter((words) => !all.includes(words))).toEqual([]);
	});

	it('lead to a trigger where something is to be watched', () => {
		expect(watchWords.filter((words) => ofNode.includes(words))).toEqual([]);
		expect(watchWords.filter((words) => !ofTriggers.flat().includes(words))).toEqual([]);
	});
});

describe.each(n8n.nodes)('the codex of %s', (file) => {
	it('names the type of the node as workflows do', () => {
		const [name] = /[^/]+(?=\.node\.js$)/.exec(file) ?? [];
		const type = `${name?.charAt(0).toLowerCase()}${name?.slice(1)}`;
		expect(codexOf(file).node).toBe(`${packageName}.${type}`);
	});

	it('has no word twice', () => {
		const { alias } = codexOf(file);
		expect(alias).toEqual([...new Set(alias)]);
	});

	it('leads to the documentation once it is built', () => {
		const { resources } = JSON.parse(textOf(`${file}on`)) as { resources: unknown };
		expect(resources).toEqual({
			credentialDocumentation: [{ url: credentialPage }],
			primaryDocumentation: [{ url: `${home}/blob/main/README.md` }],
		});
	});
});
