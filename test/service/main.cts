import { startService } from './service.cjs';

/** Runs the stand-in alone: `npm run service`, with an optional port. */
async function main(): Promise<void> {
	const port = Number(process.argv[2] ?? process.env.PORT ?? 3002);
	const service = await startService({ port, keyless: true });
	const keys = service.teams.allKeys().map(({ key, label }) => `  ${key}  ${label}`);
	console.log(
		[
			`The stand-in service listens on ${service.url} (${service.site.pages.length} pages).`,
			'',
			'In n8n, make a credential "Web Data API" with',
			`  Base URL  ${service.url}`,
			'  API Key   one of:',
			...keys,
			'  (empty)                              free tier without a key, small daily caps',
			'',
			`Its small web:  ${service.url}/site/${service.site.pages[0].host}/`,
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
	console.error(inUse ? 'The port is in use. Give another one: npm run service -- 3003' : error);
	process.exitCode = 1;
});
