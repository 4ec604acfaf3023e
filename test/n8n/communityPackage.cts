import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs npm: the one that started the scripts, otherwise the one on the path. */
export async function npm(args: string[], cwd: string): Promise<void> {
	const cli = process.env.npm_execpath;
	const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
	await (cli?.endsWith('npm-cli.js')
		? run(process.execPath, [cli, ...args, ...quiet], { cwd })
		: run('npm', [...args, ...quiet], { cwd }));
}

/** Puts a packed community package into an n8n, as n8n itself and its documentation do. n8n reads it when it starts. */
export async function installPackage(
	{ packages }: { packages: string },
	tarball: string,
): Promise<void> {
	mkdirSync(packages, { recursive: true });
	// npm would take a folder above with a package.json for the place.
	const here = ['--prefix', packages];
	await npm(['install', ...here, '--ignore-scripts', '--legacy-peer-deps', tarball], packages);
}
