import { ensurePackage, ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { execute, runSteps } from './run.mjs';

const { exitCode } = await runSteps([
	['Install what is missing', ensureInstalled],
	['Build the package', ensurePackage],
	['Compile the stand-in service and the demo', ensureTests],
	[
		"Run a workflow in n8n's engine",
		() => execute(process.execPath, ['.build/test/demo/main.cjs', ...process.argv.slice(2)]),
	],
]);
process.exitCode = exitCode;
