import { inspect } from 'node:util';
import type { EngineRun } from '../harness.cjs';
import type { FaultInput } from '../../mock/faults.cjs';
import { useTestBed } from '../testBed.cjs';

/** The key and the webhook secret stay where they belong, whatever happens. */
describe('secrets', () => {
	const testBed = useTestBed();
	const apiKey = 'fc-ca9a91ca9a91ca9a91ca9a91ca9a9100';
	const webhookSecret = 'whsec-ca9a91-c0ffee';
	const token = 'cf-ca9a91-5ecre7';
	const headers = { values: [{ name: 'CF-Access-Client-Secret', value: token }] };

	const account = () => {
		testBed.service.teams.add({ id: 'canary' }, apiKey);
		return {
			credentials: { webDataApi: { baseUrl: testBed.service.url, apiKey, webhookSecret, headers } },
		};
	};

	/** Looks through everything of a run, also what JSON leaves out: messages, stacks, causes. */
	const expectNoSecret = ({ data, error }: EngineRun) => {
		const all = { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null };
		const everything = inspect([data, error, error?.stack], all) + JSON.stringify(data);
		const secrets = [apiKey, webhookSecret, token];
		expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
	};

	const echo = `No: ${apiKey} and ${webhookSecret} and ${token}`;
	const faults: Record<string, FaultInput> = {
		'details that quote them': {
			kind: 'status',
			status: 400,
			body: { success: false, error: echo, details: [{ path: ['query'], message: echo }] },
		},
		'a code that is one of them': { kind: 'status', status: 403, code: apiKey },
		'a web page that quotes them': { kind: 'status', status: 403, body: `<title>${echo}</title>` },
		'a redirect that carries them': {
			...{ kind: 'status', status: 307, body: '' },
			headers: { location: `http://127.0.0.1:9/?key=${apiKey}&token=${token}` },
		},
		'a broken connection': { kind: 'reset' },
		'a warning that quotes them': {
			kind: 'status',
			status: 200,
			body: { success: true, data: { web: [] }, warning: echo, id: 'job-1', creditsUsed: 0 },
		},
	};

	it.each(Object.entries(faults))('are nowhere in a run that meets %s', async (_name, fault) => {
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			testBed.service.faults.add(fault);
			expectNoSecret(await testBed.search({ query: 'tide' }, { account: account(), onError }));
		}
	});

	it('are nowhere in the report of bad input that quotes them', async () => {
		const additionalFields = { includeDomains: `${apiKey}/x` };

		const run = await testBed.search({ query: 'tide', additionalFields }, { account: account() });

		expect(run.status).toBe('error');
		expect(run.error?.message).not.toContain(apiKey);
	});

	it.each([
		['a base URL that is wrong', { baseUrl: `http://x/?key=${apiKey}` }],
		['a key that no header can hold', { apiKey: `${apiKey}\n${apiKey}` }],
	])('are nowhere in the report of %s', async (_name, wrong) => {
		const { webDataApi } = account().credentials;
		const credentials = { webDataApi: { ...webDataApi, ...wrong } };

		const run = await testBed.search({ query: 'tide' }, { account: { credentials } });

		expect(run.status).toBe('error');
		expectNoSecret(run);
	});
});
