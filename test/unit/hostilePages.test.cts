import type { IDataObject } from 'n8n-workflow';
import { passageResults, sourcePage } from '../../nodes/WebData/documents/passage';
import { WorkMeter } from '../fuzz/workMeter.cjs';
import { hostileWorks } from '../hostileWorks.cjs';
import { hostilePages } from '../hostilePages.cjs';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** A page, and one of a tenth of that; `npm run bench -- --only hostile` measures the time of a megabyte. */
const large = 100_000;
const small = large / 10;

/** How often what comes in may come out: what stands beside each part is bounded, and so is their number. */
const most = 10;

describe.each(Object.entries(hostileWorks))('%s of a hostile page', (_name, work) => {
	const meter = new WorkMeter();
	afterEach(() => meter.stop());

	it('take linear work and space, whatever the page holds', async () => {
		const findings: string[] = [];
		for (const [kind, make] of Object.entries(hostilePages)) {
			const stepsFor = async (markdown: string) => {
				meter.start(() => 1e9);
				const items = await work(markdown);
				meter.stop();
				const bytes = bytesOf(items);
				if (bytes > most * bytesOf(markdown) + 10_000) findings.push(`${kind}: ${bytes} bytes`);
				return meter.work;
			};
			const steps = { small: await stepsFor(make(small)), large: await stepsFor(make(large)) };
			// What does not grow with the page is a step for each of its characters at the most.
			if (steps.large > 10 * steps.small + large) {
				findings.push(`${kind}: ${steps.small} steps, then ${steps.large}`);
			}
		}
		expect(findings).toEqual([]);
	});
});

it('returns the answer although what stands beside it alone exceeds the limit', async () => {
	const answer = 'The neap at Westerhever is 1.2 m.';
	const page: IDataObject = {
		title: 'Tides '.repeat(1_000),
		url: `https://tidewatch.example/${'x'.repeat(5_000)}`,
		metadata: { scrapeId: 's'.repeat(10_000), statusCode: 200 },
		source: ['w'.repeat(10_000)],
		request: { id: 'i'.repeat(10_000), creditsUsed: ['c'.repeat(10_000)] },
	};

	const [found] = await passageResults([sourcePage(page, answer)], ['Westerhever'], 100);

	expect(found.json.text).toBe(answer);
	expect(JSON.stringify(found).length).toBeLessThan(3_000);
});
