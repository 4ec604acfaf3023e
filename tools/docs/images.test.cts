import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../../test/root.cjs';

const folder = join(projectRoot, 'docs/images');

/** Most bytes of a picture. `npm run test:n8n -- --pictures` reduces its colours where pngquant is installed. */
const largest = 100_000;

describe('The pictures of the documentation', () => {
	const pictures = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
		/\.(png|svg|webp)$/.test(file),
	);

	it('exist', () => {
		expect(pictures.length).toBeGreaterThan(15);
	});

	it('are all shown somewhere', () => {
		const pages = readdirSync(join(projectRoot, 'docs'))
			.filter((file) => file.endsWith('.md'))
			.map((file) => join('docs', file));
		const texts = ['README.md', 'examples/README.md', ...pages].map((file) =>
			readFileSync(join(projectRoot, file), 'utf8'),
		);
		const unused = pictures.filter((file) => !texts.some((text) => text.includes(basename(file))));
		expect(unused).toEqual([]);
	});

	it('have 100 kB at most', () => {
		expect(pictures.filter((file) => statSync(join(folder, file)).size > largest)).toEqual([]);
	});
});
