import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { MultipartBody, UploadedFile } from '../../mock/endpoints/parse.cjs';
import { useTestBed, type SearchOptions } from '../testBed.cjs';
import { inMemory, itemWith, officeFile, page, stored } from './inputFiles.cjs';

const office = 'application/vnd.openxmlformats-officedocument';
const megabyte = 1024 * 1024;

describe('a file', () => {
	const testBed = useTestBed();
	const parse = async (
		input: INodeExecutionData[],
		set: INodeParameters = {},
		options?: SearchOptions,
	) =>
		await testBed.run(
			'file',
			'parse',
			{ binaryPropertyName: 'data', ...set },
			{ ...options, input },
		);
	/** The parts of the forms received. */
	const forms = () =>
		testBed.service.log.of('POST', '/v2/parse').map(({ body }) => {
			if (!(body instanceof MultipartBody)) throw new Error('not a form');
			return body.parts;
		});
	const report = async () =>
		(await testBed.service.site.render('https://tidewatch.example/reports/annual-report.pdf')).body;

	it.each<[name: string, type: string, content: () => Promise<Buffer> | Buffer, RegExp]>([
		['report.pdf', 'application/pdf', report, /annual report/i],
		['log.docx', `${office}.wordprocessingml.document`, () => officeFile('High water'), /^High/],
		['log.CSV', 'text/csv', () => Buffer.from('Port,Metres\nAnsel,5'), /Ansel,5/],
		['Größe "潮汐".html', 'text/html', () => Buffer.from('<h1>Tide log</h1>'), /^# Tide log/],
	])('is read: %s', async (name, type, content, says) => {
		const bytes = await content();

		const run = await parse([itemWith(await stored(name, type, bytes))]);

		const [item, ...more] = run.output();
		expect(more).toEqual([]);
		expect(item.json.markdown).toMatch(says);
		expect(item.json).toMatchObject({ statusCode: 200, creditsUsed: expect.any(Number) });
		expect(item.pairedItem).toEqual({ item: 0 });
		expect(forms()).toEqual([[['file', new UploadedFile(name, type, bytes)]]]);
	});

	it('is the one that the user names, by expression', async () => {
		const binary = {
			data: inMemory('a.html', 'text/html', '<h1>One</h1>'),
			attachment_0: inMemory('b.html', 'text/html', '<h1>Other</h1>'),
		};
		const binaryPropertyName = '={{ Object.keys($binary)[1] }}';

		const run = await parse([{ json: {}, binary }], { binaryPropertyName });

		expect(run.output()[0].json.markdown).toBe('# Other');
	});

	/** A file whose size n8n does not tell. */
	const unsized = async (size: number) => {
		const { bytes: _, ...data } = await stored('fees.html', 'text/html', Buffer.alloc(size));
		return itemWith(data);
	};

	it.each<[string, () => Promise<INodeExecutionData>, RegExp]>([
		['that turns out to be empty', async () => await unsized(0), /fees\.html.*is empty/],
		[
			'that turns out to be large',
			async () => await unsized(51 * megabyte),
			/fees\.html.*51\.0 MB/,
		],
	])('%s is refused by its name, and nothing is sent', async (_name, item, says) => {
		const run = await parse([await item()]);

		expect(run.error?.message).toMatch(says);
		expect(run.error?.message).toMatch(/\[item 0\]$/);
		expect(testBed.service.log.entries).toEqual([]);
	});

	it('that is gone from the disk is an error of its item alone', async () => {
		const data = await stored('fees.html', 'text/html', Buffer.from('<p>Fees</p>'));
		const gone = itemWith({ ...data, id: `${data.id}0` });

		const run = await parse([gone, page()], {}, { onError: 'continueRegularOutput' });

		expect(run.output().map(({ json }) => 'error' in json)).toEqual([true, false]);
	});
});
