import { delimiter, join } from 'node:path';

import { ensurePackage, ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureKit, kitFolder } from './kit.mjs';
import { execute, projectRoot, runSteps } from './run.mjs';

/** The environment of the measurements: where the official pack is, which finds n8n's own packages as it does in n8n. */
const surroundings = () => ({
	...process.env,
	WEB_DATA_PEER: kitFolder('bench'),
	NODE_PATH: [join(projectRoot, 'node_modules'), process.env.NODE_PATH]
		.filter(Boolean)
		.join(delimiter),
});

const { exitCode } = await runSteps([
	['Install what is missing', ensureInstalled],
	[
		'Install the official pack to compare with',
		// Its peer dependency is n8n itself, which is here already.
		() => ensureKit('bench', { cost: '1 MB', npmOptions: ['--legacy-peer-deps'] }),
	],
	['Build the package', ensurePackage],
	['Compile the tests and the measurements', ensureTests],
	[
		'Measure',
		() =>
			execute(process.execPath, ['.build/test/bench/main.cjs', ...process.argv.slice(2)], {
				env: surroundings(),
			}),
	],
]);
process.exitCode = exitCode;
