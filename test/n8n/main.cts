import { owner } from './editorApi.cjs';
import { exampleFiles, readExample } from './exampleFiles.cjs';
import { RealN8n } from './n8n.cjs';

/** Boots n8n for a person, with a credential for the mock server and every example: `npm run editor`. */
async function main(): Promise<void> {
	const stopped = new Promise<void>((resolve) => {
		process.once('SIGINT', () => resolve());
		process.once('SIGTERM', () => resolve());
	});
	console.log('   n8n starts …');
	const n8n = await RealN8n.open('editor');
	const { server, service, api } = n8n;
	const { keys, url, site } = service;
	try {
		const data = { baseUrl: url, apiKey: keys.full };
		const credential = await api.createCredential('Web Data account', data);
		for (const file of exampleFiles) await api.createWorkflow(readExample(file), credential);
		console.log(
			[
				'',
				`n8n          ${server.url}`,
				`  E-mail     ${owner.email}`,
				`  Password   ${owner.password}`,
				`  Credential ${credential.name}, for the mock server at ${url}`,
				`  Workflows  every example; the note in each says what it needs`,
				'',
				`The mock server's small web has ${site.pages.length} pages, of`,
				`  ${[...new Set(site.pages.map(({ host }) => host))].join(', ')}`,
				'Ctrl+C stops n8n and removes it with all that was made in it.',
			].join('\n'),
		);
		await stopped;
	} finally {
		await n8n.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
