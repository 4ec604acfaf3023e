import {
	readSettings,
	settingsFields,
	type SettingName,
} from '../../../../nodes/runtime/form/settings';
import { refusalsIn } from '../../schemaAssertions.cjs';

const read = (values: object) => readSettings({ ...values }).data;

describe("The node's own settings", () => {
	it('have defaults', () => {
		expect(read({})).toEqual({
			output: 'simplified',
			outputFields: [],
			downloadFiles: false,
			maxRetryTime: 600,
			maxWait: 30,
			onlyChanged: false,
		});
	});

	it('take what the editor and expressions give', () => {
		const options = {
			downloadFiles: 'true',
			maxRetryTime: 0,
			maxCreditsPerExecution: '7',
			output: 'fields',
			outputFields: 'title, metadata.statusCode',
		};
		expect(read({ options })).toMatchObject({
			output: 'fields',
			outputFields: ['title', 'metadata.statusCode'],
			downloadFiles: true,
			maxRetryTime: 0,
			maxCreditsPerExecution: 7,
		});
		expect(read({ options: '{"maxWait":"5","downloadFiles":true}' })).toMatchObject({
			maxWait: 5,
			downloadFiles: true,
		});
	});

	it('wait part of a minute, not at all, or years for a job', () => {
		for (const maxWait of [0, 0.05, 1_000_000]) {
			expect(read({ options: { maxWait } })).toMatchObject({ maxWait });
		}
	});

	it.each<[Record<string, unknown>, string]>([
		[
			{ options: { output: 'pages' } },
			'options output must be one of raw, fields, simplified, not pages',
		],
		[
			{ options: { maxRetryTime: -1 } },
			'options maxRetryTime must be a whole number from 0 to 86,400 seconds, not -1',
		],
		[
			{ options: { maxWait: -1 } },
			'options maxWait must be a number of at least 0 minutes, not -1',
		],
		[{ options: 'often' }, 'options must be an object'],
	])('reject %j', (given, message) => {
		expect(refusalsIn(readSettings(given))).toEqual([message]);
	});

	it('ignore settings that the node no longer has, in a collection or by themselves', () => {
		const stored = {
			inputItems: 'each',
			limits: { maxConcurrency: 0, maxCreditsPerDay: -1 },
			maxWait: -1,
			outputOptions: { simplify: false, maxFileSize: 'large' },
			retries: 'often',
			returnFailed: 'maybe',
			waiting: { onTimeout: 'item' },
			options: { maxWait: 5, pages: 2, __proto__: null },
		};
		expect(read(stored)).toEqual({ ...read({}), maxWait: 5 });
		expect(read({ options: '{"maxWait":5,"pages":2}' })).toEqual({ ...read({}), maxWait: 5 });
	});
});

describe('The settings of an operation in the editor', () => {
	const names = (...wanted: SettingName[]) =>
		settingsFields(...wanted).map(({ name, options }) =>
			name === 'options' ? [name, ...(options ?? []).map((option) => option.name)] : name,
		);

	it('are those that it names, in one order', () => {
		expect(names()).toEqual([]);
		expect(names('output')).toEqual([['options', 'outputFields', 'output']]);
		expect(names('maxWait', 'downloadFiles', 'output')).toEqual([
			['options', 'downloadFiles', 'outputFields', 'maxWait', 'output'],
		]);
	});
});
