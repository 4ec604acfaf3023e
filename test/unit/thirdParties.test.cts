import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';
import { projectRoot } from '../root.cjs';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** The files that npm would publish. */
function packedFiles(): string[] {
	const json = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: projectRoot,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const [{ files }] = jsonParse<Array<{ files: Array<{ path: string }> }>>(json);
	return files.map(({ path }) => path);
}

describe('the notices of third parties', () => {
	const notices = read('THIRD_PARTY_NOTICES.md');

	it('ship with the package', () => {
		expect(packedFiles()).toEqual(expect.arrayContaining(['LICENSE', 'THIRD_PARTY_NOTICES.md']));
	});

	it('are those of the packages whose data ship, word by word', () => {
		const { version } = jsonParse<{ version: string }>(read('node_modules/tidy-url/package.json'));
		expect(notices).toContain(`tidy-url](https://github.com/DrKain/tidy-url) ${version}`);
		expect(notices).toContain(read('node_modules/tidy-url/LICENSE').trim().replaceAll('\r', ''));
	});

	it('are where the README says', () => {
		expect(read('README.md')).toContain('](THIRD_PARTY_NOTICES.md)');
	});
});
