import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';
import { projectRoot } from '../../test/root.cjs';

interface Manifest {
	description: string;
	dependencies?: Record<string, string>;
	devDependencies?: Record<string, string>;
}

const text = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const manifest = (path: string) => jsonParse<Manifest>(text(join(path, 'package.json')));
const folders = (path: string) =>
	readdirSync(join(projectRoot, path), { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name);

/** `2.41` of `2.41.1`. */
const minor = (version = '') => version.split('.').slice(0, 2).join('.');

/** The engines of n8n that npm run test:versions runs in, the oldest first. */
const engines = [
	...folders('tools/versions').filter((name) => /^\d/.test(name)),
	minor(manifest('.').devDependencies?.['n8n-core']),
].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

/** What npm run test:n8n runs in. */
const servers = [
	...folders('test/n8n').filter((name) => /^\d/.test(name)),
	minor(manifest('test/n8n').dependencies?.n8n),
];

/** The versions that rows of the page's table name in their second cell. */
const versionsIn = (row: string) =>
	[...text('docs/versions.md').matchAll(new RegExp(`^\\| ${row} \\| ([^|]+) \\|`, 'gm'))].flatMap(
		([, cell]) => cell.split(', '),
	);

describe('the versions of n8n that the pack says it runs in', () => {
	it('are those that it is tried in', () => {
		expect(versionsIn("n8n's engine")).toEqual(engines);
		expect(versionsIn('The real n8n')).toEqual(servers);
	});

	it('are as many in the README, with the same servers', () => {
		const [, counted, named] =
			/engines of (\d+) versions, and in the real n8n ([^:]+):/.exec(
				text('README.md').replace(/\s+/g, ' '),
			) ?? [];

		expect(Number(counted)).toBe(engines.length);
		expect(named?.split(' and ')).toEqual(servers);
	});

	it('begin with the oldest of them, in the description on npm too', () => {
		const oldest = `n8n ${engines[0]} and newer`;

		expect(manifest('.').description).toContain(oldest);
		for (const page of ['README.md', 'docs/versions.md']) expect(text(page)).toContain(oldest);
	});

	it.each(engines.slice(0, -1))('%s is what its engine is a part of', (version) => {
		expect(manifest(`tools/versions/${version}`).description).toContain(`n8n ${version},`);
	});

	it("CI's script runs all but the newest, which npm test runs, and zod 4", () => {
		const [, rows = ''] = /test:versions -- ([^']*)'/.exec(text('.ci/run')) ?? [];

		expect(rows.split(' ')).toEqual([...engines.slice(0, -1), 'zod-4']);
	});
});
