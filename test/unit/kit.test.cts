import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../root.cjs';

/** An npm that notes that it runs, installs one package, and ends when its file `go` is there. */
const npm = `
const { appendFileSync, existsSync, mkdirSync, watch } = require('node:fs');
const { join } = require('node:path');
const { FOLDER } = process.env;
mkdirSync('node_modules/tides', { recursive: true });
appendFileSync(join(FOLDER, 'runs'), 'run\\n');
const end = () => existsSync(join(FOLDER, 'go')) && process.exit();
watch(FOLDER, end);
end();
`;

const script = `
import { ensureKit } from ${JSON.stringify(pathToFileURL(join(projectRoot, 'scripts/kit.mjs')))};
await ensureKit('bench', { cost: '1 MB', progressEvery: 20 });
`;

/** The installation of packages outside the checkout, by a stand-in for npm. */
describe('a kit', () => {
	let folder = '';
	const started: ChildProcess[] = [];
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'kit-'));
		mkdirSync(join(folder, 'cache'));
		writeFileSync(join(folder, 'npm-cli.js'), npm);
	});
	afterEach(() => {
		for (const child of started.splice(0)) child.kill();
		rmSync(folder, { recursive: true, force: true });
	});

	/** Starts an installation; `prints` resolves when it has printed a line like this. */
	const install = () => {
		const env = {
			...process.env,
			WEB_DATA_CACHE: join(folder, 'cache'),
			npm_execpath: join(folder, 'npm-cli.js'),
			FOLDER: folder,
		};
		const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env });
		started.push(child);
		let printed = '';
		const ended = once(child, 'close');
		const prints = async (line: RegExp) => {
			while (!line.test(printed)) printed += String((await once(child.stdout, 'data'))[0]);
		};
		return { child, prints, ended };
	};

	it('is installed once, with its progress, while another run waits', async () => {
		const first = install();
		await first.prints(/1 MB[^]*\n {3}1 packages after \d+ s/);
		const second = install();
		await second.prints(
			new RegExp(`another run installs \\(process ${first.child.pid}\\): waiting for it`),
		);
		writeFileSync(join(folder, 'go'), '');

		expect([await first.ended, await second.ended]).toEqual([
			[0, null],
			[0, null],
		]);
		expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\n');
		expect(readdirSync(join(folder, 'cache'))).toEqual([expect.stringMatching(/^bench-/)]);
		const again = install();
		await again.prints(/up to date/);
		expect(await again.ended).toEqual([0, null]);
	});
});
