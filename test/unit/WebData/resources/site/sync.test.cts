import { sync } from '../../../../../nodes/WebData/resources/site/sync';
import { WorkMeter } from '../../../../faults/workMeter.cjs';
import { mostInOneTurn } from '../../../../turnsDuring.cjs';
import { recordedCall, requestOf } from '../../../calls.cjs';
import { refusals } from '../../../schemaAssertions.cjs';

const url = 'https://example.com/docs';

describe('a sync', () => {
	it('refuses what is out of its bounds before anything is sent', () => {
		const refusalsOf = (parameters: object) =>
			refusals(sync.schema, sync.read({ url, ...parameters }));
		expect(refusalsOf({})).toEqual([]);
		expect(refusalsOf({ limit: 20_001 })).toHaveLength(1);
		expect(refusalsOf({ maxChunkTokens: 10, splitInto: 'chunks' })).toHaveLength(1);
		expect(refusalsOf({ additionalFields: { includePaths: '(' } })).toHaveLength(1);
		expect(refusalsOf({ scrapeOptions: { waitFor: 40_000 } })).toHaveLength(1);
	});

	it('lets others run while it looks up which pages of a map are known', async () => {
		const links = Array.from({ length: 5_000 }, (_, at) => `https://example.com/docs/${at}`);
		const call = recordedCall({ success: true, links });
		const request = requestOf(sync, { url, strategy: 'map', limit: 5_000 });
		const meter = new WorkMeter();
		meter.start(() => Infinity);

		const most = await mostInOneTurn(
			() => meter.digests,
			async () => await sync.run(request, call).catch(() => undefined),
		);
		meter.stop();

		expect(call.jobs).toHaveLength(1);
		expect(most).toBeLessThan(4_000);
	});

	it('maps what a crawl of the same request would read', async () => {
		const request = {
			url,
			strategy: 'map',
			limit: 7,
			additionalFields: {
				crawlEntireDomain: true,
				includePaths: '/docs/.*',
				excludePaths: '/docs/old',
				sitemap: 'only',
			},
		};
		const links = ['https://example.com/docs/a', { url: 'https://example.com/docs/b' }];
		const call = recordedCall({ success: true, links });

		await sync.run(requestOf(sync, request), call).catch(() => undefined);

		expect(call.sent[0].price).toEqual(1);
		expect(call.sent.map(({ body }) => body)).toEqual([
			{
				url,
				limit: 7,
				includePaths: ['/docs/.*'],
				excludePaths: ['/docs/old'],
				sitemap: 'only',
				ignoreQueryParameters: false,
				includeSubdomains: false,
				ignoreCache: true,
				filterByPath: false,
			},
		]);
		const [[job, start]] = call.jobs;
		expect([job.noun, start.price, start.body]).toEqual([
			'batch',
			2,
			{
				urls: ['https://example.com/docs/a', 'https://example.com/docs/b'],
				maxAge: 0,
				formats: [{ type: 'markdown' }],
			},
		]);
	});
});
