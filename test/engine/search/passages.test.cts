import { tokensOf } from '../../../nodes/runtime/tool/passages';
import { useTestBed } from '../testBed.cjs';

describe('a search for passages', () => {
	const testBed = useTestBed();
	const tides = 'https://tidewatch.example/guides/spring-tides';
	const fact = 'The harbour pilot of Westerhever is called Ingeborg Petersen.';

	it('finds what stands deep in a long page, within its tokens', async () => {
		const { markdown = '' } = testBed.service.site.find(tides) ?? {};
		const filler = Array.from({ length: 300 }, (_, day) => `Day ${day} had wind from the west.`);
		const parts = [markdown, ...filler, '## Pilots', fact, ...filler];
		testBed.service.site.update(tides, { markdown: parts.join('\n\n') });
		const account = testBed.account();
		const query = 'spring tides harbour pilot Westerhever';
		const parameters = { query, limit: 5, additionalFields: { maxTokens: 600 } };

		const run = await testBed.run('search', 'passages', parameters, { account });

		const items = run.output().map(({ json }) => json);
		expect(items[0]).toMatchObject({
			number: 1,
			url: tides,
			text: expect.stringContaining(`## Pilots\n${fact}`),
			scrapeId: expect.any(String),
			creditsUsed: testBed.service.ledger.spent(account.team.id),
		});
		expect(tokensOf(JSON.stringify(items))).toBeLessThanOrEqual(600);
		expect(run.output()[0].pairedItem).toEqual({ item: 0 });
	});
});
