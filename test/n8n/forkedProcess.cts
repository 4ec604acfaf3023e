import { fork } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { projectRoot } from '../root.cjs';

/** What a script of this folder sends; it finds the official package, and that one n8n's own packages as in n8n. */
export async function sentBy<Found>(script: string): Promise<Found[]> {
	const { NODE_PATH = '' } = process.env;
	const env = {
		...process.env,
		NODE_PATH: [join(projectRoot, 'node_modules'), NODE_PATH].join(delimiter),
	};
	const child = fork(join(__dirname, script), { env });
	const ended = once(child, 'exit');
	let sent: Found[] = [];
	child.on('message', (found: Found[]) => {
		sent = found;
		child.kill();
	});
	await ended;
	return sent;
}
