import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jsonParse } from 'n8n-workflow';
import { resources } from '../../nodes/WebData/resources';
import { useTestBed } from '../../test/engine/testBed.cjs';
import { projectRoot } from '../../test/root.cjs';
import { previewFolder } from './previews.cjs';
import { staleFiles } from './written.cjs';

const text = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const filesIn = (folder: string, ending: RegExp) =>
	readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => ending.test(file))
		.map((file) => join(folder, file));

describe('what is written from the descriptions of the nodes', () => {
	const testBed = useTestBed();

	it('is up to date; else run: npm run docs', async () => {
		const { changed, gone } = await staleFiles(testBed);

		expect([...changed.keys(), ...gone]).toEqual([]);
		// It runs every operation.
	}, 300_000);

	it('previews items that fit a table, with ten fields at most', () => {
		const fieldsIn = (file: string) =>
			Object.keys(jsonParse<{ properties: object }>(text(file)).properties);
		const wide = filesIn(previewFolder, /\.json$/).filter((file) => fieldsIn(file).length > 10);

		expect(wide).toEqual([]);
	});

	it('is what the README says of the resources and their operations', () => {
		const rows = text('README.md').matchAll(/^\| \[(.+?)\]\(docs\/operations\S+ \| (.+?) \|/gm);

		expect([...rows].map(([, resource, operations]) => [resource, operations])).toEqual(
			resources.map(({ name, operations }) => [
				name,
				operations.map((operation) => operation.name).join(', '),
			]),
		);
	});
});

describe('The pictures of the documentation', () => {
	const pictures = filesIn('docs/images', /\.(png|svg|webp)$/);

	it('are all shown somewhere', () => {
		const pages = ['README.md', 'examples/README.md', ...filesIn('docs', /\.md$/)];
		const texts = pages.map(text).join('\n');

		expect(pictures.length).toBeGreaterThan(15);
		expect(pictures.filter((file) => !texts.includes(basename(file)))).toEqual([]);
	});

	// `npm run test:n8n -- --pictures` reduces their colours where pngquant is installed.
	it('have 100 kB at most', () => {
		const large = pictures.filter((file) => statSync(join(projectRoot, file)).size > 100_000);

		expect(large).toEqual([]);
	});
});

interface Manifest {
	description: string;
	dependencies?: Record<string, string>;
	devDependencies?: Record<string, string>;
}

const manifest = (path: string) => jsonParse<Manifest>(text(join(path, 'package.json')));

/** The earlier versions that have a folder there, the oldest first, and the newest: `2.41` of `2.41.1`. */
const versionsOf = (folder: string, newest = '') => [
	...readdirSync(join(projectRoot, folder))
		.filter((name) => /^\d+\.\d+$/.test(name))
		.sort((one, other) => one.localeCompare(other, 'en', { numeric: true })),
	newest.split('.').slice(0, 2).join('.'),
];

describe('the versions of n8n that the pack says it runs in', () => {
	const engines = versionsOf('tools/versions', manifest('.').devDependencies?.['n8n-core']);
	const servers = versionsOf('test/n8n', manifest('test/n8n').dependencies?.n8n);

	it('are those that it is tried in', () => {
		const versionsIn = (row: string) =>
			[
				...text('docs/versions.md').matchAll(new RegExp(`^\\| ${row} \\| ([^|]+) \\|`, 'gm')),
			].flatMap(([, cell]) => cell.split(', '));
		const readme = text('README.md').replace(/\s+/g, ' ');
		const ci = `'test:versions -- ${engines.slice(0, -1).join(' ')} zod-4'`;

		expect(versionsIn("n8n's engine")).toEqual(engines);
		expect(versionsIn('The real n8n')).toEqual(servers);
		expect(readme).toContain(
			`engines of ${engines.length} versions, and in the real n8n ${servers.join(' and ')}:`,
		);
		expect(text('.ci/run')).toContain(ci);
		for (const version of engines.slice(0, -1)) {
			expect(manifest(`tools/versions/${version}`).description).toContain(`n8n ${version},`);
		}
	});

	it('begin with the oldest of them, in the description on npm too', () => {
		const oldest = `n8n ${engines[0]} and newer`;

		expect(manifest('.').description).toContain(oldest);
		for (const page of ['README.md', 'docs/versions.md']) expect(text(page)).toContain(oldest);
	});
});
