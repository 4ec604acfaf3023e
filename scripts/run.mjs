import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's top folder: every command runs there, wherever npm was called. */
export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Something the person at the keyboard can act on: shown as its message, without a stack. */
export class Failure extends Error {}

/** Does the work and resolves with its exit code; a Failure's message is printed without a stack. */
export async function exitCodeOf(work) {
	try {
		return (await work()) ?? 0;
	} catch (error) {
		console.error(error instanceof Failure ? `   ✖ ${error.message}` : error);
		return 1;
	}
}

// Spinners that draw frames and colours are for terminals; a log file cannot show them.
const plainOutput = { CI: 'true', ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) };

/** Runs `command` in the checkout with its output visible and resolves with its exit code. */
export function execute(command, args, options = {}) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, {
			cwd: projectRoot,
			stdio: ['ignore', 'inherit', 'inherit'],
			env: { ...process.env, ...plainOutput },
			...options,
		});
		// A Ctrl-C reaches the child by itself, a kill does not; either way it ends first, tidily.
		const wait = () => {};
		const forward = () => child.kill('SIGTERM');
		process.on('SIGINT', wait).on('SIGTERM', forward);
		child.once('error', reject);
		child.once('close', (code, signal) => {
			process.off('SIGINT', wait).off('SIGTERM', forward);
			resolve(code ?? (signal === 'SIGINT' ? 130 : 1));
		});
	});
}

/** Runs an installed package's own command (`jest`, `tsc` …) with this very Node. */
export function runTool(packageName, tool, args, options) {
	const folder = join(projectRoot, 'node_modules', packageName);
	const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	return execute(process.execPath, [join(folder, bin[tool] ?? bin), ...args], options);
}

/** Runs npm: the one that runs this script, otherwise the one on the path. */
export function runNpm(args, options) {
	const npm = process.env.npm_execpath;
	return npm?.endsWith('npm-cli.js')
		? execute(process.execPath, [npm, ...args], options)
		: execute('npm', args, { shell: process.platform === 'win32', ...options });
}

let steps = 0;

/**
 * Prints a numbered heading, does the work, and prints how long it took. The work resolves with an
 * exit code (nothing counts as 0) or throws a Failure, whose message is printed. Resolves with the exit code.
 */
export async function step(title, work) {
	console.log(`\n${++steps}. ${title}`);
	const begun = performance.now();
	const exitCode = await exitCodeOf(work);
	const seconds = ((performance.now() - begun) / 1000).toFixed(1);
	console.log(`   ${exitCode === 0 ? 'done' : 'failed'} in ${seconds} s`);
	return exitCode;
}

/** Runs the steps in order up to the first that fails. Resolves with how many passed and the exit code. */
export async function runSteps(list) {
	let passed = 0;
	for (const [title, work] of list) {
		const exitCode = await step(title, work);
		if (exitCode !== 0) return { passed, failed: title, exitCode };
		passed++;
	}
	return { passed, exitCode: 0 };
}
