import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Ends a process and those that it started: they are one group. */
function endGroup(pid) {
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

/**
 * Does the work with a folder of its own, in which it may note the process groups that it starts, as
 * `processes/<id>`. Whatever becomes of the work, none of them and nothing of the folder is left.
 */
export async function withWorkFolder(work) {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'web-data-n8n-')));
	// What is interrupted ends as failed, and is cleaned up all the same.
	const goOn = () => {};
	for (const signal of SIGNALS) process.on(signal, goOn);
	// A kill may reach npm or its shell only: whoever started this is gone then.
	const { ppid } = process;
	const orphaned = setInterval(() => {
		if (process.ppid !== ppid) process.kill(process.pid, 'SIGTERM');
	}, 1000);
	try {
		return await work(folder);
	} finally {
		clearInterval(orphaned);
		const processes = join(folder, 'processes');
		if (existsSync(processes)) readdirSync(processes).map(Number).forEach(endGroup);
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
		for (const signal of SIGNALS) process.off(signal, goOn);
	}
}
