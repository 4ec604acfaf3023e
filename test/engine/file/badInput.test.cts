import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';
import { inMemory, itemWith, page, stored } from './inputFiles.cjs';

const field = 'Input Data Field Name';
const megabyte = 1024 * 1024;

interface BadFile {
	item: () => Promise<INodeExecutionData> | INodeExecutionData;
	set?: INodeParameters;
	says: string[];
}

const file =
	(change: Partial<IBinaryData>): (() => INodeExecutionData) =>
	() =>
		itemWith({ ...inMemory('fees.html', 'text/html', '<p>Fees</p>'), ...change });

const badFiles: Record<string, BadFile> = {
	'no file at all': { item: () => ({ json: {} }), says: ['data', 'no file at all'] },
	'another name': {
		item: page,
		set: { binaryPropertyName: 'attachment_0' },
		says: ['attachment_0', 'its files are data'],
	},
	'no name': { item: page, set: { binaryPropertyName: '={{ "" }}' }, says: ['required'] },
	'a name that every object has': {
		item: page,
		set: { binaryPropertyName: 'constructor' },
		says: ['constructor', 'data'],
	},
	'an empty file': { item: file({ data: '' }), says: ['fees.html', 'is empty'] },
	'an empty file on disk': {
		item: async () => itemWith(await stored('fees.html', 'text/html', Buffer.alloc(0))),
		says: ['fees.html', 'is empty'],
	},
	'a file of 51 MB': {
		item: () => itemWith(inMemory('fees.html', 'text/html', Buffer.alloc(51 * megabyte))),
		says: ['fees.html', '51.0 MB', '50 MB'],
	},
	'a file of 51 MB on disk': {
		item: async () => itemWith(await stored('fees.html', 'text/html', Buffer.alloc(51 * megabyte))),
		says: ['fees.html', '51.0 MB', '50 MB'],
	},
	'a file one byte too large': {
		item: async () =>
			itemWith(await stored('fees.html', 'text/html', Buffer.alloc(50 * megabyte + 1))),
		says: ['fees.html', '50 MB'],
	},
	'an unknown kind': {
		item: file({ fileName: 'program.exe', fileExtension: 'exe' }),
		says: ['kind', 'program.exe'],
	},
	'a kind that nobody knows': {
		item: file({ fileName: undefined, fileExtension: undefined, mimeType: 'application/x-odd' }),
		says: ['kind', 'application/x-odd'],
	},
};

const more = (additionalFields: INodeParameters): INodeParameters => ({ additionalFields });
const json = (requestJson: string): INodeParameters => more({ requestJson });

/** What a page takes and a file does not, and what nothing takes. */
const badOptions: Record<string, [set: INodeParameters, ...says: string[]]> = {
	...Object.fromEntries(
		['screenshot', 'branding', 'changeTracking', 'audio', 'video', 'rawBase64'].map((type) => {
			const list = type === 'rawBase64' ? [type] : ['markdown', type];
			return [`the format ${type}`, [json(JSON.stringify({ formats: list })), 'Formats', type]];
		}),
	),
	...Object.fromEntries(
		[
			'actions',
			'waitFor',
			'location',
			'mobile',
			'maxAge',
			'minAge',
			'storeInCache',
			'lockdown',
		].map((name) => [`the option ${name}`, [json(`{"${name}": 1}`), name]]),
	),
	'the enhanced proxy': [more({ proxy: '={{ "enhanced" }}' }), 'Proxy', 'enhanced'],
	'an upload that does not exist': [more({ uploadMethod: '={{ "post" }}' }), 'Upload', 'post'],
	'a timeout above 300 s': [more({ timeout: 300_001 }), 'Timeout', '300,000'],
	'JSON without prompt and schema': [
		{ formats: ['json'], jsonSchemaExample: '{}' },
		"'JSON Prompt' is required",
	],
	'a format of pages by expression': [
		{ formats: '={{ "markdown, screenshot" }}' },
		"'Formats' takes no screenshot",
	],
};

describe('bad input of a file', () => {
	const testBed = useTestBed();
	const parse = async (item: INodeExecutionData, set: INodeParameters = {}) =>
		await testBed.run('file', 'parse', { binaryPropertyName: 'data', ...set }, { input: [item] });
	const sent = () => [...testBed.service.log.entries, ...testBed.service.context.uploads.attempts];

	it.each(Object.entries(badFiles))(
		'%s is refused by the name of the field, and nothing is sent',
		async (_name, { item, set, says }) => {
			const run = await parse(await item(), set);

			expect(run.status).toBe('error');
			expect(run.error?.message).toMatch(new RegExp(`^'${field}' .*\\[item 0\\]$`));
			for (const words of says) expect(run.error?.message).toContain(words);
			expect(run.error?.description).toBe('Nothing was sent and nothing was charged.');
			expect(sent()).toEqual([]);
		},
	);

	it.each([
		['direct', 0, 'is empty'],
		['separate', 0, 'is empty'],
		['separate', 51 * megabyte, '51.0 MB'],
	])(
		'a file whose size n8n does not tell is refused once it is known (%s, %i bytes)',
		async (uploadMethod, size, says) => {
			const { bytes: _, ...data } = await stored('fees.html', 'text/html', Buffer.alloc(size));

			const run = await parse(itemWith(data), more({ uploadMethod }));

			expect(run.error?.message).toContain('fees.html');
			expect(run.error?.message).toContain(says);
			expect(sent()).toEqual([]);
		},
	);

	it('a file that is gone from the disk is an error of its item alone', async () => {
		const data = await stored('fees.html', 'text/html', Buffer.from('<p>Fees</p>'));
		const gone = itemWith({ ...data, id: `${data.id}0` });

		const run = await testBed.run(
			'file',
			'parse',
			{ binaryPropertyName: 'data' },
			{ input: [gone, page()], onError: 'continueRegularOutput' },
		);

		expect(run.output().map(({ json: { error } }) => typeof error)).toEqual([
			'string',
			'undefined',
		]);
	});

	it.each(Object.entries(badOptions))(
		'%s is refused by name, and nothing is sent',
		async (_name, [set, ...says]) => {
			const run = await parse(page(), set);

			expect(run.status).toBe('error');
			for (const words of says) expect(run.error?.message).toContain(words);
			expect(run.error?.description).toBe('Nothing was sent and nothing was charged.');
			expect(sent()).toEqual([]);
		},
	);

	it('one bad file among several stops all before the first is sent, and one alone where the node goes on', async () => {
		const input = [page(), { json: {} }, page()];
		const parameters = { binaryPropertyName: 'data' };

		const stopped = await testBed.run('file', 'parse', parameters, { input });
		expect(stopped.error?.message).toMatch(/\[item 1\]$/);
		expect(sent()).toEqual([]);

		const going = await testBed.run('file', 'parse', parameters, {
			input,
			onError: 'continueErrorOutput',
		});
		expect([going.output().length, going.output(undefined, 1).length]).toEqual([2, 1]);
	});
});
