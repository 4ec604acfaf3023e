import { parseArgs } from 'node:util';

import { ensureInstalled } from './install.mjs';
import { Failure, exitCodeOf, runSteps } from './run.mjs';

const HELP = { help: { type: 'boolean', short: 'h', about: 'this text' } };

/** The text of `--help`. A command is a name of package.json's `scripts` with what it does and takes: see main.mjs. */
function helpOf(name, { about, options = {}, takes, passesOn }) {
	const call = name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
	const rows = Object.entries({ ...options, ...HELP }).map(([option, { value, about: what }]) => [
		`--${[option, value].filter(Boolean).join(' ')}`,
		what,
	]);
	if (takes) rows.unshift([takes.value, takes.about]);
	if (passesOn) rows.push(['…', `all else is handed to ${passesOn}`]);
	const width = Math.max(...rows.map(([left]) => left.length));
	return [
		`${call} -- ${[takes?.value, '[options]'].filter(Boolean).join(' ')}`,
		`\n${about}\n`,
		...rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`),
	].join('\n');
}

/** Divides arguments into those of the command's own options and those for the program that it hands the rest to. */
function divide(args, options) {
	const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
	const own = new Set(
		tokens
			.filter(({ kind, name }) => kind === 'option' && Object.hasOwn(options, name))
			.flatMap(({ index, value, inlineValue }) =>
				value === undefined || inlineValue ? [index] : [index, index + 1],
			),
	);
	return [args.filter((_, at) => own.has(at)), args.filter((_, at) => !own.has(at))];
}

/** @throws {Failure} where the value is none that the option or the argument takes */
function check(name, value, { choices, pattern }) {
	if (choices && !choices.includes(value)) {
		throw new Failure(`${name} takes one of ${choices.join(', ')}, and not "${value}"`);
	}
	if (pattern && !pattern.test(value)) throw new Failure(`${name} cannot be "${value}"`);
}

/**
 * The values of a command's options, and its other arguments.
 * @throws {Failure} for what the command does not take
 */
function read(args, { options = {}, takes, passesOn }) {
	const known = { ...options, ...HELP };
	const [own, rest] = passesOn ? divide(args, known) : [args, []];
	try {
		const allowPositionals = takes !== undefined;
		const { values, positionals } = parseArgs({ args: own, options: known, allowPositionals });
		for (const [name, value] of Object.entries(values)) check(`--${name}`, value, known[name]);
		for (const value of positionals) check('The command', value, takes);
		if (positionals.length > 1 && !takes.value.includes('…')) {
			throw new Failure(`The command takes one argument, and not ${positionals.join(' ')}`);
		}
		return { values, rest: [...positionals, ...rest] };
	} catch (error) {
		throw error instanceof Failure ? error : new Failure(error.message);
	}
}

/**
 * Runs a command: `--help` prints what it does and starts nothing, and so does what it does not take. Else what is
 * missing is installed, and `run` does the work or `steps` are run. Resolves with an exit code.
 */
export async function runCommand(name, command, args) {
	let given;
	try {
		given = read(args, command);
		if (!given.values.help) command.refuse?.(given.values);
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		console.error(`✖ ${error.message}\n\n${helpOf(name, command)}`);
		return 2;
	}
	if (given.values.help) {
		console.log(helpOf(name, command));
		return 0;
	}
	const { exitCode } = await runSteps([['Install what is missing', ensureInstalled]]);
	if (exitCode !== 0) return exitCode;
	const { run, steps } = command;
	return await exitCodeOf(async () =>
		run
			? await run(given.values, given.rest)
			: (await runSteps(steps(given.values, given.rest))).exitCode,
	);
}
