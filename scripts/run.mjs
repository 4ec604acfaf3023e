import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { clearLine, cursorTo } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';

/** The checkout's top folder: every command runs there, wherever npm was called. */
export const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The text kept in a stamp file, or undefined. */
export function readStamp(path) {
	const absolute = join(projectRoot, path);
	return existsSync(absolute) ? readFileSync(absolute, 'utf8') : undefined;
}

/** Keeps `text` in a stamp file. */
export function writeStamp(path, text) {
	const absolute = join(projectRoot, path);
	mkdirSync(dirname(absolute), { recursive: true });
	writeFileSync(absolute, text);
}

/** Something the person at the keyboard can act on: shown as its message, without a stack. */
export class Failure extends Error {}

/** The text in that style where the terminal has it. */
const styled = (style, text) => (process.stdout.hasColors?.() ? styleText(style, text) : text);

/** Does the work and resolves with its exit code; a Failure's message is printed without a stack. */
export async function exitCodeOf(work) {
	try {
		return (await work()) ?? 0;
	} catch (error) {
		console.error(error instanceof Failure ? styled('red', `   ✖ ${error.message}`) : error);
		return 1;
	}
}

// Spinners that draw frames and colours are for terminals; a log file cannot show them.
const plainOutput = { CI: 'true', ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) };

/** What somebody who presses Ctrl-C ends with. */
export const INTERRUPTED = 130;

/** Shows in a terminal for how long something has been running. The returned function takes that away. */
function showTime() {
	if (!process.stdout.isTTY) return () => {};
	const begun = performance.now();
	const clear = () => cursorTo(process.stdout, 0) && clearLine(process.stdout, 0);
	const timer = setInterval(() => {
		clear();
		process.stdout.write(styled('dim', `   … ${Math.round((performance.now() - begun) / 1000)} s`));
	}, 1000);
	return () => {
		clearInterval(timer);
		clear();
	};
}

/** Runs `command` in the checkout with its output visible, or if `quiet` only when it fails. Resolves with its exit code. */
export function execute(command, args, { quiet = false, ...options } = {}) {
	return new Promise((resolve, reject) => {
		const output = quiet ? 'pipe' : 'inherit';
		const child = spawn(command, args, {
			cwd: projectRoot,
			stdio: ['ignore', output, output],
			env: { ...process.env, ...plainOutput },
			...options,
		});
		const said = [];
		for (const stream of [child.stdout, child.stderr])
			stream?.on('data', (part) => said.push(part));
		const hideTime = quiet ? showTime() : () => {};
		// A Ctrl-C reaches the child by itself, a kill does not; either way it ends first, tidily.
		const wait = () => {};
		let isEnded = false;
		const forward = () => {
			isEnded = true;
			child.kill('SIGTERM');
		};
		process.on('SIGINT', wait).on('SIGTERM', forward);
		child.once('error', reject);
		child.once('close', (code, signal) => {
			process.off('SIGINT', wait).off('SIGTERM', forward);
			hideTime();
			const exitCode = isEnded || signal === 'SIGINT' ? INTERRUPTED : (code ?? 1);
			if (exitCode !== 0 && exitCode !== INTERRUPTED) process.stdout.write(Buffer.concat(said));
			resolve(exitCode);
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

/** For how long this process has been running. */
export const minutesSoFar = () => (performance.now() / 60_000).toFixed(1);

let steps = 0;

/**
 * Prints a numbered heading, does the work, and prints how long it took. The work resolves with an
 * exit code (nothing counts as 0) or throws a Failure, whose message is printed. Resolves with the exit code.
 */
export async function step(title, work) {
	showTitle(title);
	return await timed(work);
}

const showTitle = (title) => console.log(styled('bold', `\n${++steps}. ${title}`));

async function timed(work, showFirst = () => {}) {
	const begun = performance.now();
	const exitCode = await exitCodeOf(work);
	const seconds = ((performance.now() - begun) / 1000).toFixed(1);
	showFirst();
	console.log(styled('dim', `   ${endOf(exitCode)} ${seconds} s`));
	return exitCode;
}

function endOf(exitCode) {
	if (exitCode === 0) return 'done in';
	return exitCode === INTERRUPTED ? 'stopped after' : 'failed after';
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

/**
 * Runs steps that need nothing of each other, as many at once as there are cores, and shows each when it has ended.
 * Resolves with how many passed and the titles of those that failed.
 */
export async function runTogether(list) {
	const failed = [];
	const waiting = list.values();
	const lane = async () => {
		for (const [title, work] of waiting) {
			const exitCode = await timed(work, () => showTitle(title));
			if (exitCode !== 0) failed.push(title);
		}
	};
	await Promise.all(Array.from({ length: availableParallelism() }, lane));
	return { passed: list.length - failed.length, failed };
}
