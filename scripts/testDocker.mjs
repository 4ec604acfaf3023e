import { spawnSync } from 'node:child_process';

import { ensurePackage, ensureTests } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { packPackage } from './pack.mjs';
import { execute, runSteps } from './run.mjs';
import { withWorkFolder } from './workFolder.mjs';

/** The image of n8n that is tried: `npm run test:docker -- IMAGE` takes another. */
const [image = 'docker.n8n.io/n8nio/n8n:3.0.0'] = process.argv.slice(2);

const hasDocker = () => spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;

/** Runs the packed package in a container of n8n: one search by its REST interface, against the mock server. */
async function testInDocker(work) {
	let tarball;
	return await runSteps([
		['Install what is missing', ensureInstalled],
		['Build the package', ensurePackage],
		['Compile the tests and the mock server', ensureTests],
		['Pack the package', async () => void (tarball = await packPackage(work))],
		[
			`Run a search in ${image}`,
			() =>
				execute(process.execPath, ['.build/test/n8n/docker/main.cjs', image], {
					env: { ...process.env, WEB_DATA_WORK: work, WEB_DATA_TARBALL: tarball },
				}),
		],
	]);
}

if (hasDocker()) {
	const { exitCode } = await withWorkFolder(testInDocker);
	process.exitCode = exitCode;
} else {
	console.log('Not run: no Docker answers on this machine (docker info).');
}
