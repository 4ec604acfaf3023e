import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WebDataApi } from '../../credentials/WebDataApi.credentials.js';
import { author, bugs, homepage, n8n, repository } from '../../package.json';
import { projectRoot } from '../root.cjs';

/** Where the package lives and who keeps it: nobody's until the first publication, so that one file has it. */
const [, home = '', owner = ''] =
	/^git\+(https:\/\/[^/]+\/([^/]+)\/.+)\.git$/.exec(repository.url) ?? [];

const readable = /\.(md|json|m?[jt]s|cts|cjs|ya?ml|svg)$/;
const sources = [
	'.github',
	'bench',
	'credentials',
	'docs',
	'examples',
	'nodes',
	'scripts',
	'test',
	'tools',
]
	.flatMap((folder) =>
		readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			join(folder, file),
		),
	)
	.concat(readdirSync(projectRoot))
	.filter((file) => readable.test(file) && !/^package(-lock)?\.json$/.test(file));

it('the addresses of the package stand in package.json, and agree', () => {
	expect(home).toContain(owner);
	expect([homepage, bugs.url]).toEqual([`${home}#readme`, `${home}/issues`]);
});

it('no other file names them but the credential, which must', () => {
	expect(sources).toContain('SECURITY.md');
	const naming = sources.filter((file) => {
		const text = readFileSync(join(projectRoot, file), 'utf8');
		return [home, author.email].some((address) => text.includes(address));
	});
	expect(naming).toEqual([join('credentials', 'WebDataApi.credentials.ts')]);
});

it("the credential's documentation is there", () => {
	const { documentationUrl } = new WebDataApi();
	expect(documentationUrl).toBe(`${home}/blob/main/README.md#credential`);
	expect(readFileSync(join(projectRoot, 'README.md'), 'utf8')).toMatch(/^#+ Credential$/m);
});

it.each(n8n.nodes)('the documentation of %s is there', (file) => {
	const codex = join(projectRoot, `${file}on`);
	expect(existsSync(codex)).toBe(true);
	const { resources } = JSON.parse(readFileSync(codex, 'utf8')) as { resources: unknown };
	expect(resources).toEqual({
		credentialDocumentation: [{ url: `${home}/blob/main/README.md#credential` }],
		primaryDocumentation: [{ url: `${home}/blob/main/README.md` }],
	});
});
