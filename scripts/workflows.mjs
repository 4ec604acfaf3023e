import { ensurePackage, ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { runSteps, runTool } from './run.mjs';

const { exitCode } = await runSteps([
	['Install what is missing', ensureInstalled],
	['Build the package', ensurePackage],
	['Compile the tests and the mock server', ensureTests],
	['Write the workflows of this version', () => runTool('gulp', 'gulp', ['workflows'])],
]);
process.exitCode = exitCode;
