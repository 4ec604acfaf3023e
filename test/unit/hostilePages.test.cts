import type { IDataObject } from 'n8n-workflow';
import { passageResults, sourcePage } from '../../nodes/WebData/resources/search';
import { WorkMeter } from '../faults/workMeter.cjs';
import { hostileWorks, sourceOf } from '../hostileWorks.cjs';
import { hostilePages } from '../site/hostilePages.cjs';
import { turnsDuring } from '../turnsDuring.cjs';

const url = 'https://tidewatch.example/';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** A page, and one of a tenth of that; `npm run bench -- --only hostile` measures the time of a megabyte. */
const large = 200_000;
const small = large / 10;

/** How often what comes in may come out in the chunks of a page: what stands beside each of them is bounded, and so is their number. */
const most = 10;

const kinds = Object.entries(hostilePages);

describe.each(Object.entries(hostileWorks))('%s of a hostile page', (_name, work) => {
	const meter = new WorkMeter();
	afterEach(() => meter.stop());

	const stepsFor = async (markdown: string) => {
		meter.start(() => 1e9);
		await work(markdown);
		meter.stop();
		return meter.work;
	};

	it.each(kinds)('take linear work: %s', async (_kind, make) => {
		const steps = { small: await stepsFor(make(small)), large: await stepsFor(make(large)) };

		// What does not grow with the page is a step for each of its characters at the most.
		expect(steps.large).toBeLessThanOrEqual(10 * steps.small + large);
	});

	it.each(kinds)('lets others run meanwhile: %s', async (_kind, make) => {
		const turns = await turnsDuring(async () => await work(make(large)));

		expect(turns).toBeGreaterThanOrEqual(large / 100_000);
	});

	it.each(kinds)(`come to at most ${most} times the page: %s`, async (_kind, make) => {
		const markdown = make(small);

		const items = await work(markdown);

		expect(bytesOf(items)).toBeLessThanOrEqual(most * bytesOf(markdown) + 10_000);
	});
});

describe('the answer below a long head', () => {
	const long = 'Height of the water above the chart '.repeat(200);
	const answer = 'The neap at Westerhever is 1.2 m.';

	it.each([
		['heading', `# ${long}\n\n${answer}`],
		['path of headings', `# ${long}\n\n## ${long}\n\n### ${long}\n\n${answer}`],
		['table head', `| ${long} | Place |\n|---|---|\n| ${answer} | here |`],
	])('is found below a %s', async (_name, markdown) => {
		const [found] = await passageResults([sourceOf(markdown)], ['neap Westerhever'], 400);

		expect(found?.json.text).toContain(answer);
	});

	it('is found in the heading itself', async () => {
		const [found] = await passageResults(
			[sourceOf(`# ${long}${answer}\n\nMore.`)],
			['Westerhever'],
			400,
		);

		expect(found?.json.text).toContain(answer);
	});

	it('comes out where what stands beside it alone is more than all may be', async () => {
		const page: IDataObject = {
			title: 'Tides '.repeat(1_000),
			url: url + 'x'.repeat(5_000),
			metadata: { scrapeId: 's'.repeat(10_000), statusCode: 200 },
			source: ['w'.repeat(10_000)],
			request: { id: 'i'.repeat(10_000), creditsUsed: ['c'.repeat(10_000)] },
		};

		const [found] = await passageResults([sourcePage(page, answer)], ['Westerhever'], 100);

		expect(found.json.text).toBe(answer);
		expect(JSON.stringify(found).length).toBeLessThan(3_000);
	});

	it('is whole, without a head that would keep it from fitting', async () => {
		const headings = ['#', '##', '###'].map((signs) => `${signs} ${'Heading '.repeat(12)}`);
		const words = 'The neap at Westerhever is high and low. '.repeat(6).trim();

		const [found] = await passageResults(
			[sourceOf([...headings, words].join('\n\n'))],
			['neap Westerhever'],
			130,
		);

		expect(found.json).toMatchObject({ text: words });
	});
});
