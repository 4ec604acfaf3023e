import { createContext, runInContext } from 'node:vm';
import { inspect, types } from 'node:util';

import { Stopped, type Interpreter, type Surroundings } from './output.cjs';
import { pageCommands } from './pageCommands.cjs';

/** The longest that code may keep the processor without waiting for anything, in milliseconds. */
const longestStretch = 1000;

/** Answers a call out of the sandbox: names, arguments and answers cross its wall as JSON text. */
type Host = (name: string, args: string) => Promise<string>;
type Write = (kind: 'print' | 'warn', ...values: unknown[]) => void;

/**
 * Made inside the sandbox, so that code in it meets no object of the service: `page`, with the part of
 * Playwright's methods that a page without scripts can honour, `console` and `localStorage`.
 */
const furnish = `(host, write) => {
	// A failure that the code does not await must not end the service.
	const quiet = (work) => (...args) => {
		const result = work(...args);
		result.catch(() => undefined);
		return result;
	};
	const call = quiet(async (name, ...args) => {
		const { value, error } = JSON.parse(await host(name, JSON.stringify(args)));
		if (error !== undefined) throw new Error(error);
		return value;
	});
	const methods = ['title', 'content', 'click', 'fill', 'type', 'press', 'textContent', 'innerText',
		'getAttribute', 'allTextContents', 'count', 'waitForTimeout', 'waitForSelector', 'wheel'];
	const page = Object.fromEntries(methods.map((name) => [name, (...args) => call(name, ...args)]));
	let address = 'about:blank';
	const line = (kind) => (...values) => write(kind, ...values);
	Object.assign(globalThis, {
		console: { log: line('print'), info: line('print'), warn: line('warn'), error: line('warn') },
		localStorage: {
			getItem: (key) => call('getItem', key),
			setItem: (key, value) => call('setItem', key, String(value)),
		},
		page: {
			...page,
			url: () => address,
			goto: quiet(async (url) => {
				const { status, url: reached } = await call('goto', url);
				address = reached;
				return { status: () => status, ok: () => status < 400, url: () => reached };
			}),
			evaluate: (script) =>
				call('evaluate', typeof script === 'function' ? '(' + script + ')()' : script),
			locator: (selector) => {
				const names = ['click', 'fill', 'press', 'textContent', 'innerText', 'getAttribute',
					'allTextContents', 'count'];
				const bound = names.map((name) => [name, (...args) => page[name](selector, ...args)]);
				const found = Object.fromEntries(bound);
				return { ...found, first: () => found, waitFor: () => page.waitForSelector(selector) };
			},
			keyboard: {
				press: (key) => call('pressKey', key),
				type: (text) => call('typeText', text),
			},
			mouse: { wheel: page.wheel },
		},
	});
	return (current) => { address = current; };
}`;

/** Runs JavaScript with top-level await. What it throws is on stderr, with exit code 1. */
export const runNode: Interpreter = async (code, surroundings) => {
	const { output, browser } = surroundings;
	const context = createContext(Object.create(null), {
		codeGeneration: { strings: false, wasm: false },
	});
	const write: Write = (kind, ...values) => {
		if (!surroundings.signal.aborted) output[kind](values.map(text).join(' '));
	};
	const install: (host: Host, write: Write) => (address: string) => void = runInContext(
		furnish,
		context,
	);
	install(hostOf(surroundings), write)(browser.page.url);
	try {
		await runInContext(`(async () => {\n${code}\n})()`, context, {
			filename: 'code.js',
			lineOffset: -1,
			timeout: longestStretch,
		});
		return 0;
	} catch (error) {
		if (!types.isNativeError(error)) output.fail(text(error), `Uncaught ${text(error)}`);
		else if ('code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new Stopped();
		else output.fail(error.message, `${error.name}: ${error.message}`);
		return 1;
	}
};

function text(value: unknown): string {
	return typeof value === 'string' ? value : inspect(value, { customInspect: false });
}

/** Answers the sandbox's calls; after the run's end never again, so that stopped code stays still. */
function hostOf({ browser, signal }: Surroundings): Host {
	return async (name, args) => {
		const given: unknown = JSON.parse(args);
		const answer = await answered(() =>
			pageCommands[name](browser, Array.isArray(given) ? given : []),
		);
		return signal.aborted ? await new Promise<never>(() => undefined) : JSON.stringify(answer);
	};
}

async function answered(ask: () => unknown): Promise<{ value: unknown } | { error: string }> {
	try {
		return { value: (await ask()) ?? null };
	} catch (error) {
		return { error: error instanceof Error ? error.message : String(error) };
	}
}
