import { ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { execute, runSteps } from './run.mjs';

const { exitCode } = await runSteps([
	['Install what is missing', ensureInstalled],
	['Compile the stand-in service', ensureTests],
	[
		'Run the stand-in service',
		() => execute(process.execPath, ['.build/test/service/main.cjs', ...process.argv.slice(2)]),
	],
]);
process.exitCode = exitCode;
