import type { Interpreter } from './output.cjs';

const commandNotFound = 127;
const unquote = (text: string): string => text.trim().replace(/^(['"])(.*)\1$/, '$2');

/**
 * The little of bash that a mock server needs: `echo`, `sleep`, `exit`, one command per line. Any other
 * command is missing, and said to be so as bash does.
 */
export const runBash: Interpreter = async (code, { clock, output, signal }) => {
	let status = 0;
	for (const line of lines(code)) {
		const [, command, argument] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
		if (command === 'exit') return Number(argument || status);
		if (command === 'echo') output.print(unquote(argument));
		else if (command === 'sleep') await clock.wait(Number(argument) * 1000, signal);
		else output.fail(`bash: ${command}: command not found`);
		status = command === 'echo' || command === 'sleep' ? 0 : commandNotFound;
	}
	return status;
};

/**
 * The little of Python that a mock server needs: `print` and `raise Exception` of a string or number,
 * one per line. For anything else it says that there is no Python here.
 */
export const runPython: Interpreter = (code, { output }) => {
	for (const line of lines(code)) {
		const literal = `("[^"]*"|'[^']*'|-?\\d+(?:\\.\\d+)?)`;
		const printed = new RegExp(`^print\\(${literal}\\)$`).exec(line)?.[1];
		const raised = new RegExp(`^raise Exception\\(${literal}\\)$`).exec(line)?.[1];
		if (raised !== undefined) {
			const error = `Exception: ${unquote(raised)}`;
			output.fail(error, `Traceback (most recent call last):\n${error}`);
			return Promise.resolve(1);
		}
		if (printed === undefined) {
			output.fail('bash: python3: command not found');
			return Promise.resolve(commandNotFound);
		}
		output.print(unquote(printed));
	}
	return Promise.resolve(0);
};

function lines(code: string): string[] {
	return code
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '' && !line.startsWith('#'));
}
