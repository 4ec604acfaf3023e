import { judge, recordedExchanges, replay, type Replayed } from './recorded/replay.cjs';
import { installTestSite } from './recorded/testSite.cjs';
import { startService } from './service.cjs';

test('the recorded exchanges of a real server, replayed, differ only where the table says so', async () => {
	const recorded = recordedExchanges();
	const replayed: Replayed[] = [];
	const service = await startService({ authentication: false });
	try {
		const { url } = service.site.pages.find(({ kind }) => kind === 'pdf')!;
		installTestSite(service.site, url);
		for (const exchange of recorded) replayed.push(...(await replay(service, exchange)));
	} finally {
		await service.close();
	}
	const answers = replayed.filter(({ endpoint }) => !endpoint.startsWith('webhook'));
	const { unexpected, stale, agreement } = judge(replayed);

	expect(recorded).toHaveLength(467);
	expect(answers).toHaveLength(recorded.flatMap(({ steps }) => steps).length);
	const differ = 'recorded → mock server: change the mock server, or say why in differences.json';
	const remove = 'remove from test/mock/recorded/differences.json';
	expect({ [differ]: unexpected, [remove]: stale }).toEqual({ [differ]: [], [remove]: [] });
	expect(agreement).toBeGreaterThanOrEqual(0.95);
}, 40_000);
