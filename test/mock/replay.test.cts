import { recordedExchanges } from './recorded/exchanges.cjs';
import {
	acceptedDifferences,
	agreement,
	judge,
	replay,
	type Replayed,
} from './recorded/replay.cjs';
import { installTestSite } from './recorded/testSite.cjs';
import { type Service, startService } from './service.cjs';

describe('the recorded exchanges of a real server, replayed against the mock server', () => {
	const recorded = recordedExchanges();
	const replayed: Replayed[] = [];
	let service: Service;

	beforeAll(async () => {
		service = await startService({ server: { age: '2026-08', selfHosted: true } });
		const { url } = service.site.pages.find(({ kind }) => kind === 'pdf')!;
		installTestSite(service.site, url);
		for (const exchange of recorded) replayed.push(...(await replay(service, exchange)));
	}, 180_000);
	afterAll(async () => await service.close());

	it('answers every exchange', () => {
		const steps = recorded.flatMap((exchange) => exchange.steps);
		expect(recorded).toHaveLength(467);
		expect(replayed.filter(({ endpoint }) => !endpoint.startsWith('webhook'))).toHaveLength(
			steps.length,
		);
	});

	it('differs only where the table says so, and there still', () => {
		expect(judge(replayed, acceptedDifferences())).toEqual({ unexpected: [], stale: [] });
	});

	it('responds as recorded to 95 of 100 requests that it could respond to so', () => {
		expect(agreement(replayed, acceptedDifferences())).toBeGreaterThanOrEqual(0.95);
	});
});
