import { parseArgs } from 'node:util';

import { startService } from './service.cjs';
import { demoKey } from './teams.cjs';

/** Runs the mock server alone, at the port of the command line. */
async function main(): Promise<void> {
	const { positionals } = parseArgs({ allowPositionals: true });
	const service = await startService({ port: Number(positionals[0] ?? process.env.PORT ?? 3002) });
	console.log(
		[
			`The mock server listens on ${service.url} (${service.site.pages.length} pages).`,
			'',
			'In n8n, make a credential "Web Data API" with',
			`  Base URL  ${service.url}`,
			`  API Key   ${demoKey}`,
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
