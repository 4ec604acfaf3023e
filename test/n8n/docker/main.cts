import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../../mock-server/service.cjs';
import { installPackage } from '../communityPackage.cjs';
import { EditorApi } from '../editorApi.cjs';
import { freePort } from '../freePort.cjs';
import { smoke } from '../smoke.cjs';
import { until } from '../until.cjs';
import { containerArguments } from './containerArguments.cjs';

const run = promisify(execFile);

/** Starts n8n in a container, does the work and removes the container. What n8n said is shown when the work fails. */
async function withContainer(args: string[], work: () => Promise<void>): Promise<void> {
	const { stdout } = await run('docker', args);
	const container = stdout.trim();
	try {
		await work();
	} catch (error) {
		const log = await run('docker', ['logs', container]);
		console.error(log.stdout, log.stderr);
		throw error;
	} finally {
		await run('docker', ['rm', '--force', container]);
	}
}

/** Runs one search in a container of n8n, against the mock server: `npm run test:docker`. */
async function main(): Promise<void> {
	const [image = ''] = process.argv.slice(2);
	const { WEB_DATA_WORK: work = '', WEB_DATA_TARBALL: tarball = '' } = process.env;
	const packages = join(work, 'nodes');
	mkdirSync(packages);
	await installPackage({ packages }, tarball);
	// The image's own user reads it.
	chmodSync(work, 0o755);
	const port = await freePort();
	const service = await startService();
	try {
		await withContainer(containerArguments({ image, port, packages }), async () => {
			const url = `http://127.0.0.1:${port}`;
			await until('n8n to be ready', async () => {
				const answer = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
				return answer?.ok === true || undefined;
			});
			const api = new EditorApi(url);
			await api.setUp();
			const data = { baseUrl: service.url, apiKey: service.keys.full };
			const items = await smoke(api, await api.createCredential('Docker', data));
			console.log(`${items.length} passed, 0 failed`);
		});
	} finally {
		await service.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
