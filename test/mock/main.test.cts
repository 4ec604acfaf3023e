import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { projectRoot } from '../root.cjs';
import { demoKey } from './teams.cjs';

test.each(['SIGINT', 'SIGTERM'] as const)(
	'runs alone, tells how to reach it, stops on %s',
	async (signal) => {
		const script = join(projectRoot, '.build/test/mock/main.cjs');
		const child = spawn(process.execPath, [script, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
		const exit = once(child, 'exit');
		try {
			const lines: string[] = [];
			for await (const line of createInterface({ input: child.stdout })) {
				lines.push(line);
				if (line.startsWith('Ctrl+C')) break;
			}
			const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(lines.join('\n')) ?? [];
			expect(lines.join('\n')).toContain(demoKey);
			const response = await fetch(`${url}/v2/team/credit-usage`, {
				headers: { authorization: `Bearer ${demoKey}` },
			});
			expect(response.status).toBe(200);
		} finally {
			child.kill(signal);
		}
		expect(await exit).toEqual([0, null]);
	},
);
