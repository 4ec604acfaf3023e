import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = join(process.env.WEB_DATA_MUTATIONS, 'node_modules/@stryker-mutator/jest-runner');
const { createJestTestRunnerFactory } = await import(
	pathToFileURL(join(folder, 'dist/src/jest-test-runner.js')).href
);
const createJestRunner = createJestTestRunnerFactory();

/** In characters. With some defects Jest's words are 200 MB long, and Stryker keeps all that it is told. */
const longestMessage = 1_000;

/** The file of each test, kept where all of Stryker's processes work. */
const filesOfTests = '.build/filesOfTests.json';

/**
 * Stryker's runner for Jest, which loads only the files of the tests that cover a change. By itself it loads all
 * files for each change and passes over their tests by name, which takes twenty times as long.
 */
class CoveringTests {
	constructor(runner) {
		this.runner = runner;
	}

	capabilities() {
		return this.runner.capabilities();
	}

	async init() {
		await this.runner.init();
		this.config = this.runner.jestConfig;
	}

	async dryRun(options) {
		const result = await this.runner.dryRun(options);
		const tests = result.tests ?? [];
		const files = tests.map(({ id, fileName }) => [id, relative(process.cwd(), fileName)]);
		writeFileSync(filesOfTests, JSON.stringify(files));
		return result;
	}

	async mutantRun(options) {
		this.files ??= JSON.parse(readFileSync(filesOfTests, 'utf8'));
		const covering = new Set(options.testFilter);
		const files = this.files.filter(([id]) => covering.has(id)).map(([, file]) => file);
		this.runner.jestConfig = {
			...this.config,
			testMatch: [...new Set(files)].map((file) => `<rootDir>/${file}`),
		};
		const result = Object.entries(await this.runner.mutantRun(options));
		const cut = (value) => (typeof value === 'string' ? value.slice(0, longestMessage) : value);
		return Object.fromEntries(result.map(([name, value]) => [name, cut(value)]));
	}
}

const factory = (injector) => new CoveringTests(createJestRunner(injector));
factory.inject = ['$injector'];

/** Stryker looks for its plugins under this name. */
export const strykerPlugins = [{ kind: 'TestRunner', name: 'coveringTests', factory }];
