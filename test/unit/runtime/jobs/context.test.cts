import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { documentFormat } from '../../../../nodes/WebData/documents/document';
import {
	readContextOf,
	complete,
	policyOf,
	type Item,
} from '../../../../nodes/runtime/jobs/context';
import type { HttpFunctions } from '../../../../nodes/runtime/http/client';
import { Semaphore } from '../../../../nodes/runtime/values/outcome';
import type { RequestContext } from '../../../../nodes/runtime/http/send';
import { Spending } from '../../../../nodes/runtime/jobs/budget';
import { settingsSchema, type Settings } from '../../../../nodes/runtime/form/settings';
import { accepted, errorSource } from '../../schemaAssertions.cjs';
import { mostInOneTurn } from '../../../turnsDuring.cjs';
import { asRequest } from '../../requests.cjs';

const settings = (given: object = {}) => accepted(settingsSchema, given);

/** A host of files and an API: their answer to everything, and what they were asked. */
function hosts(statusCode: number, body: unknown) {
	const asked: unknown[] = [];
	const respond = async (...given: unknown[]) => {
		asked.push(given[given.length - 1]);
		return await Promise.resolve({ statusCode, headers: {}, body });
	};
	const context = {
		getCredentials: async () => await Promise.resolve({}),
		helpers: { httpRequest: respond, httpRequestWithAuthentication: respond },
	} as unknown as HttpFunctions;
	const requestContext: RequestContext = {
		context,
		errorSource: errorSource({ itemIndex: 4 }),
		policy: policyOf(settings()),
	};
	const itemContext = (given: Settings = settings()): Item => ({
		...requestContext,
		run: {
			format: documentFormat,
			isHosted: true,
			account: () => 'account',
			notices: new Set(),
			ownNotes: new Set(),
			spending: new Spending(),
			unfinished: new Set(),
			fetches: new Semaphore(25),
		},
		settings: given,
		requests: [{ itemIndex: 4, body: {} }],
	});
	return { asked, itemContext };
}

const helpers = {
	prepareBinaryData: async (data: Buffer): Promise<IBinaryData> =>
		await Promise.resolve({ data: data.toString(), mimeType: 'x/y' }),
} as unknown as IExecuteFunctions['helpers'];

describe('how hard to try', () => {
	it('is the longest time that the user set, in milliseconds', () => {
		const policyFor = (maxRetryTime: number) => policyOf(settings({ options: { maxRetryTime } }));
		expect(policyFor(90)).toMatchObject({ maxAttempts: 5, budget: 90_000 });
		expect(policyFor(0)).toMatchObject({ budget: 0 });
	});
});

describe('a call', () => {
	it('sends in its request context and keeps each notice once', async () => {
		const { asked, itemContext } = hosts(200, { success: true, id: 'x' });
		const item = itemContext(settings({ options: { maxRetryTime: 3 } }));
		const { errorSource: source, requests } = item;
		const call = readContextOf(item);
		const answer = await call.send(asRequest({ method: 'GET', path: '/agent' }));
		call.notice('a');
		call.notice('b');
		call.notice('a');
		expect(answer.body).toEqual({ success: true, id: 'x' });
		expect(asked).toMatchObject([{ method: 'GET', url: '/agent' }]);
		expect([...item.run.notices]).toEqual(['a', 'b']);
		expect(call.errorSource).toBe(source);
		expect(call).toMatchObject({ settings: item.settings, requests });
	});
});

describe('the last step of an operation', () => {
	const screenshot = 'https://files.example/s.png';
	const result = { json: { title: 'T', markdown: 'high tide', screenshot } };

	it('trims the results and links them to their item', async () => {
		const { asked, itemContext } = hosts(200, Buffer.from('PNG'));
		const items = await complete(
			[result, { json: { title: 'U' }, items: [1, 3] }],
			itemContext(settings({ options: { output: 'fields', outputFields: 'markdown' } })),
			helpers,
		);
		expect(items).toEqual([
			{ json: { markdown: 'high tide' }, pairedItem: { item: 4 } },
			{ json: {}, pairedItem: [{ item: 1 }, { item: 3 }] },
		]);
		expect(asked).toEqual([]);
	});

	it('fetches files when the user wants them, also of fields that are not kept', async () => {
		const { itemContext } = hosts(200, Buffer.from('PNG'));
		const chosen = {
			options: { output: 'fields', outputFields: 'title', downloadFiles: true },
		};
		const fetching = itemContext(settings(chosen));
		expect(await complete([result], fetching, helpers)).toEqual([
			{
				json: { title: 'T' },
				binary: { screenshot: { data: 'PNG', mimeType: 'x/y' } },
				pairedItem: { item: 4 },
			},
		]);
		expect([...fetching.run.notices]).toEqual([]);
	});

	it('lets others run while it looks for files in very many results', async () => {
		const { itemContext } = hosts(200, Buffer.from('PNG'));
		const fetching = itemContext(settings({ options: { downloadFiles: true } }));
		let searched = 0;
		const filesIn = () => {
			searched += 1;
			return [];
		};
		const format = { ...documentFormat, filesIn };
		const context = { ...fetching, run: { ...fetching.run, format } };
		const many = Array.from({ length: 10_000 }, () => ({ json: {} }));

		const most = await mostInOneTurn(
			() => searched,
			async () => await complete(many, context, helpers),
		);

		expect(searched).toBe(10_000);
		expect(most).toBeLessThan(5_000);
	});

	it('says once that files are missing, however many', async () => {
		const { itemContext } = hosts(404, Buffer.from('{"error":"Link expired"}'));
		const fetching = itemContext(settings({ options: { downloadFiles: true } }));
		const items = await complete([result, result], fetching, helpers);
		expect(items.map(({ json }) => json.fileErrors)).toEqual(
			Array(2).fill({ screenshot: expect.stringMatching(/^files\.example: The host .*HTTP 404/) }),
		);
		expect([...fetching.run.notices]).toEqual([expect.stringContaining('fileErrors')]);
	});
});
