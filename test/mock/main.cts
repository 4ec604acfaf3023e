import { parseArgs } from 'node:util';

import { ages, type Age } from './servers.cjs';
import { startService } from './service.cjs';

const isAge = (value: string): value is Age => ages.some((age) => age === value);

/** What the command line asks for (`--help` is the script's). @throws when it asks for what there is not */
function readArguments() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			server: { type: 'string', default: 'newest' },
			'self-hosted': { type: 'boolean', default: false },
		},
	});
	const { server: age, 'self-hosted': selfHosted } = values;
	if (!isAge(age)) throw new Error(`There is no server '${age}', only ${ages.join(', ')}`);
	return { ...values, age, selfHosted, port: Number(positionals[0] ?? process.env.PORT ?? 3002) };
}

async function main(): Promise<void> {
	const { port, age, selfHosted } = readArguments();
	const server = { age, selfHosted };
	const service = await startService({ port, server });
	const keys = service.teams.allKeys().map(({ key, label }) => `  ${key}  ${label}`);
	console.log(
		[
			`The mock server listens on ${service.url} (${service.site.pages.length} pages).`,
			`It is a ${selfHosted ? 'self-hosted server' : 'hosted service'}, ${age}.`,
			'',
			'In n8n, make a credential "Web Data API" with',
			`  Base URL  ${service.url}`,
			...(selfHosted ? ['  API Key   none'] : ['  API Key   one of:', ...keys]),
			'',
			`Its log:        ${service.url}/_control/log`,
			'Ctrl+C stops it.',
		].join('\n'),
	);

	const stop = (): void => {
		void service.close();
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
	const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
	const words = error instanceof Error ? error.message : String(error);
	console.error(inUse ? 'The port is in use. Give another one: npm run service -- 3003' : words);
	process.exitCode = 1;
});
