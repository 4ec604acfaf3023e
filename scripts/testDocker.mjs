import { spawnSync } from 'node:child_process';

import { ensureBuilt } from './build.mjs';
import { packPackage } from './pack.mjs';
import { execute, runSteps } from './run.mjs';
import { withWorkFolder } from './workFolder.mjs';

/** The image of n8n that is tried where no other is named. */
const IMAGE = 'docker.n8n.io/n8nio/n8n:3.0.0';

const hasDocker = () => spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;

/** Runs the packed package in a container of n8n: one search by its REST interface, against the mock server. */
async function testInDocker(work, image) {
	let tarball;
	return await runSteps([
		ensureBuilt,
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

export const testDocker = {
	about: 'Runs a search in the Docker image of n8n 3, where Docker is.',
	takes: { value: '[IMAGE]', about: `another image than ${IMAGE}` },
	async run(_values, [image = IMAGE]) {
		if (hasDocker()) {
			const { exitCode } = await withWorkFolder((work) => testInDocker(work, image));
			return exitCode;
		}
		console.log('Not run: no Docker answers on this machine (docker info).');
		return 0;
	},
};
