import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';
import { itemWith, page, stored } from './inputFiles.cjs';

const megabyte = 1024 * 1024;

describe('bad input of a file', () => {
	const testBed = useTestBed();
	const parse = async (item: INodeExecutionData, set: INodeParameters = {}) =>
		await testBed.run('file', 'parse', { binaryPropertyName: 'data', ...set }, { input: [item] });
	const sent = () => testBed.service.log.entries;

	it.each<[string, () => Promise<INodeExecutionData>, string]>([
		['no file', async () => await Promise.resolve({ json: {} }), 'no files'],
		[
			'a file of 51 MB on disk',
			async () => itemWith(await stored('fees.html', 'text/html', Buffer.alloc(51 * megabyte))),
			'51.0 MB, and the limit is 50 MB: fees.html',
		],
	])('%s is refused by the name of the field, and nothing is sent', async (_name, item, says) => {
		const run = await parse(await item());

		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/^'Input Data Field Name' .*\[item 0\]$/);
		expect(run.error?.message).toContain(says);
		expect(run.error?.description).toBe('Nothing was sent and nothing was charged.');
		expect(sent()).toEqual([]);
	});

	it.each([
		[0, 'is empty'],
		[51 * megabyte, '51.0 MB'],
	])(
		'a file whose size n8n does not tell is refused once it is known (%i bytes)',
		async (size, says) => {
			const { bytes: _, ...data } = await stored('fees.html', 'text/html', Buffer.alloc(size));

			const run = await parse(itemWith(data));

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
