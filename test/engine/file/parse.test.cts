import type { INodeParameters } from 'n8n-workflow';
import { MultipartBody, UploadedFile } from '../../mock/parse/multipart.cjs';
import { useTestBed, type SearchOptions } from '../testBed.cjs';
import { inMemory, itemWith, officeFile, page, stored } from './inputFiles.cjs';

const usual: INodeParameters = { binaryPropertyName: 'data' };
const office = 'application/vnd.openxmlformats-officedocument';

describe('a file', () => {
	const testBed = useTestBed();
	const parse = async (parameters: INodeParameters = {}, options?: SearchOptions) =>
		await testBed.run('file', 'parse', { ...usual, ...parameters }, options);
	/** The parts of the forms received. */
	const forms = () =>
		testBed.service.log.of('POST', '/v2/parse').map(({ body }) => {
			if (!(body instanceof MultipartBody)) throw new Error('not a form');
			return body.parts;
		});
	const report = async () =>
		(await testBed.service.site.render('https://tidewatch.example/reports/annual-report.pdf')).body;

	const kinds: Array<
		[name: string, type: string, content: () => Promise<Buffer> | Buffer, RegExp]
	> = [
		['report.pdf', 'application/pdf', report, /annual report/i],
		['log.docx', `${office}.wordprocessingml.document`, () => officeFile('High water'), /^High/],
		['log.xlsx', `${office}.spreadsheetml.sheet`, () => officeFile('Metres 5'), /^Metres 5/],
		['log.CSV', 'text/csv', () => Buffer.from('Port,Metres\nAnsel,5'), /Ansel,5/],
		['log.html', 'text/html', () => Buffer.from('<h1>Tide log</h1>'), /^# Tide log/],
		['log.odt', 'application/vnd.oasis.opendocument.text', () => officeFile('High'), /^High/],
	];

	it.each(kinds)('is read: %s', async (name, type, content, says) => {
		const bytes = await content();
		const account = testBed.account();

		const run = await parse({}, { account, input: [itemWith(await stored(name, type, bytes))] });

		const [item, ...more] = run.output();
		expect(more).toEqual([]);
		expect(item.json.markdown).toMatch(says);
		expect(item.json.metadata).toMatchObject({ sourceURL: name, contentType: type });
		expect(item.pairedItem).toEqual({ item: 0 });
		const [[part, sent]] = forms()[0];
		expect([forms()[0].length, part]).toEqual([1, 'file']);
		expect(sent).toEqual(new UploadedFile(name, type, bytes));
		expect(testBed.service.log.entries[0].key).toBe(account.key);
	});

	it('is the one that the user names, by expression', async () => {
		const binary = {
			data: inMemory('a.html', 'text/html', '<h1>One</h1>'),
			attachment_0: inMemory('b.html', 'text/html', '<h1>Other</h1>'),
		};

		const run = await parse(
			{ binaryPropertyName: '={{ Object.keys($binary)[1] }}' },
			{ input: [{ json: {}, binary }] },
		);

		expect(run.output()[0].json.markdown).toBe('# Other');
	});

	it('with a name in other scripts keeps it', async () => {
		const fileName = 'Größe "潮汐".html';

		const run = await parse({}, { input: [itemWith(inMemory(fileName, 'text/html', '<p>x</p>'))] });

		const [[, sent]] = forms()[0];
		expect(run.status).toBe('success');
		expect(sent).toMatchObject({ filename: fileName });
	});

	it('goes with every option in one part of JSON', async () => {
		/** The options that are sent as they are set. */
		const same = {
			onlyMainContent: false,
			proxy: 'basic',
			redactPII: true,
			timeout: 20_000,
		};
		const options = {
			...same,
			formats: [{ type: 'markdown' }, { type: 'links' }, { type: 'question', question: 'Price?' }],
			includeTags: ['p'],
			excludeTags: ['.ad', '#x'],
			parsers: [{ type: 'pdf', mode: 'fast', maxPages: 2 }],
			blockAds: false,
		};

		const run = await parse(
			{
				formats: ['markdown', 'links', 'question'],
				question: 'Price?',
				additionalFields: {
					...same,
					excludeTags: '.ad, #x',
					includeTags: 'p',
					parsers: { mode: 'fast', maxPages: 2 },
					requestJson: '{"blockAds": false}',
				},
			},
			{ input: [page()] },
		);

		expect(run.error).toBeUndefined();
		expect(forms()[0].map(([name]) => name)).toEqual(['options', 'file']);
		expect(JSON.parse(String(forms()[0][0][1]))).toEqual(options);
		expect(run.output()[0].json.answer).toEqual(expect.any(String));
	});
});
