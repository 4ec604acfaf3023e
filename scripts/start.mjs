import { ensureDemo, ensurePackage } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { execute, Failure, runSteps } from './run.mjs';
import { HELP, readArguments } from './startArguments.mjs';

/** What the command line asks for, before anything is installed; nothing when it asks for what there is not. */
function choice() {
	try {
		return readArguments(process.argv.slice(2));
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		console.error(`✖ ${error.message}\n  npm start -- --help shows what can be said`);
		return undefined;
	}
}

/** Runs the demo; resolves with its exit code. It is told by the environment, which other users of the machine cannot read. */
async function run(chosen) {
	const env = { ...process.env, WEB_DATA_DEMO: JSON.stringify(chosen) };
	const { exitCode } = await runSteps([
		['Install what is missing', ensureInstalled],
		['Build the package', ensurePackage],
		['Compile the mock server and the demo', ensureDemo],
		[
			"Run a workflow in n8n's engine",
			() => execute(process.execPath, ['.build/test/demo/main.cjs'], { env }),
		],
	]);
	return exitCode;
}

const chosen = choice();
if (chosen === 'help') console.log(HELP);
else process.exitCode = chosen === undefined ? 2 : await run(chosen);
