import { owner } from './editorApi.cjs';
import { RealN8n } from './n8n.cjs';
import { ReadyExamples } from './readyExamples.cjs';

/** Boots n8n for a person, with a credential for the mock server and every example: `npm run dev`. */
async function main(): Promise<void> {
	const stopped = new Promise<void>((resolve) => {
		process.once('SIGINT', () => resolve());
		process.once('SIGTERM', () => resolve());
	});
	console.log('   n8n starts …');
	const n8n = await RealN8n.open('editor');
	const { server, service } = n8n;
	const { url, site } = service;
	const examples = await ReadyExamples.store(n8n);
	try {
		console.log(
			[
				'',
				`n8n          ${server.url}`,
				`  E-mail     ${owner.email}`,
				`  Password   ${owner.password}`,
				`  Credential ${examples.account.credential.name}, for the mock server at ${url}`,
				`  Workflows  every example: press Execute, or write a message to those with a chat`,
				`  Model      a stand-in that calls each tool once; it needs no key`,
				`  Invoices   ${examples.invoices.join(', ')}`,
				`  MCP        the token of the server is ${examples.token}`,
				'',
				`The mock server's small web has ${site.pages.length} pages, of`,
				`  ${[...new Set(site.pages.map(({ host }) => host))].join(', ')}`,
				'Ctrl+C stops n8n and removes it with all that was made in it.',
			].join('\n'),
		);
		await stopped;
	} finally {
		await examples.close();
		await n8n.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
