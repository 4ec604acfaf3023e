import type { INodeParameters } from 'n8n-workflow';
import { ages, type ServerProfile } from '../../mock-server/servers.cjs';
import { startService } from '../../mock-server/service.cjs';
import { keys } from '../../mock-server/teams.cjs';
import { useTestBed } from '../testBed.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const url = 'https://tidewatch.example/guides/spring-tides';
const monitor: INodeParameters = {
	name: 'Tides',
	targets: { values: [{ type: 'scrape', urls: url }] },
	schedule: { text: 'hourly' },
};

describe('a server that lacks something', () => {
	const testBed = useTestBed();

	/** What the node says on a server of a profile, and how many requests it took. */
	async function told(server: ServerProfile, operation: string, parameters: INodeParameters) {
		const service = await startService({ server });
		const credentials = { webDataApi: { baseUrl: service.url, apiKey: keys.full } };
		const [resource, name] = operation.split('.');
		const run = await testBed.run(resource, name, parameters, { account: { credentials } });
		const tries = service.log.entries.length;
		await service.close();
		return { words: `${run.error?.message}. ${run.error?.description}`, tries };
	}

	const once = { retries: { maxTries: 1 } };

	it.each<[ServerProfile['age'], boolean, string, INodeParameters, RegExp]>([
		['2025-08', false, 'agent.start', { prompt: 'tides' }, /April 2026 or later.*format JSON/],
		['2025-08', false, 'account.getQueueStatus', {}, /April 2026 or later/],
		['2026-04', false, 'monitor.create', monitor, /May 2026 or later.*Schedule Trigger/],
		['2026-04', false, 'session.create', {}, /August 2026 or later.*'Actions'/],
		['2026-08', false, 'agent.getAll', {}, /October 2026 or later.*'Start'/],
		[
			'newest',
			true,
			'paper.search',
			{ query: 'tide' },
			/Only the hosted service supports it.*Research/,
		],
		['2026-08', true, 'monitor.create', { ...monitor, ...once }, /without a database.*May 2026/],
		['2026-08', true, 'session.create', {}, /not configured.*does not have.*August 2026/],
		[
			'2026-08',
			true,
			'session.interact',
			{ jobId: id, taskType: 'prompt', prompt: 'x' },
			/does not have.*April 2026.*'Actions'/,
		],
	])('of %s, self-hosted %s: %s says so', async (age, selfHosted, operation, parameters, words) => {
		const { words: said, tries } = await told({ age, selfHosted }, operation, parameters);
		expect(said).toMatch(words);
		expect(tries).toBe(1);
	});

	const keepsNone =
		/^Connection successful! The server is self-hosted and has no credit balance\.$/;
	it.each<[boolean, string, RegExp]>([
		[true, '', keepsNone],
		[false, keys.full, /^Connection successful! \d+ credits left\.$/],
	])(
		'passes the test of its credential at every age: self-hosted %s',
		async (selfHosted, apiKey, words) => {
			for (const age of ages) {
				const service = await startService({ server: { age, selfHosted } });
				const credential = { baseUrl: service.url, apiKey };
				const { message } = await testBed.engine.testCredential('webDataApi', credential);
				await service.close();

				expect([age, message]).toEqual([age, expect.stringMatching(words)]);
			}
		},
	);
});
