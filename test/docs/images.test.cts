import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../root.cjs';

const folder = join(projectRoot, 'docs/images');

/** Most bytes of a picture. `npm run pictures` reduces its colours where pngquant is installed. */
const largest = 100_000;

describe('The pictures of the documentation', () => {
	const pictures = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
		/\.(png|svg|webp)$/.test(file),
	);

	it('exist', () => {
		expect(pictures.length).toBeGreaterThan(15);
	});

	it('have 100 kB at most', () => {
		expect(pictures.filter((file) => statSync(join(folder, file)).size > largest)).toEqual([]);
	});
});
