import { estimate } from '../../../../nodes/runtime/execution/estimate';
import type { Request } from '../../../../nodes/runtime/http/client';
import type { OperationContext } from '../../../../nodes/runtime/operation/operation';
import { fixedPrice, openPrice, price } from '../../../../nodes/runtime/limits/price';
import { documentJob } from '../../../../nodes/WebData/documents/documentJob';
import { crawlKind } from '../../../../nodes/WebData/documents/crawlKind';
import { recordedCall } from '../../calls.cjs';
import { errorSource } from '../../schemaAssertions.cjs';
import { asRequest, sentFor } from '../../requests.cjs';

const start = asRequest({
	method: 'POST',
	path: '/crawl',
	body: { url: 'https://a.example', limit: 5, prompt: undefined },
	headers: { 'x-idempotency-key': 'k' },
	retrySafety: 'mayStartTwice',
	price: price(0, 5, 'five pages'),
});
const job = documentJob(crawlKind);

describe('An estimate', () => {
	it.each<[string, (call: OperationContext) => Promise<unknown>]>([
		['a request', async (call) => await call.send(start)],
		['a start that may be ended', async (call) => await call.sendStart(start, () => undefined)],
		['a job', async (call) => await call.runJob(job, start)],
		['a plan', async (call) => await call.plan([start])],
	])('contains %s, sends nothing and stops', async (_what, first) => {
		const call = recordedCall();
		let further = false;
		const told = await estimate(async (estimating) => {
			estimating.atExecutionEnd(asRequest({ method: 'DELETE', path: '/interact/s' }));
			await first(estimating);
			further = true;
		}, call);
		const body = { url: 'https://a.example', limit: 5 };
		expect(told).toEqual({
			requests: [{ method: 'POST', path: '/v2/crawl', body }],
			minCredits: 0,
			maxCredits: 5,
			pdfsCostMore: false,
			xPagesCostMore: false,
			reasons: ['five pages'],
		});
		expect([further, call.sent, call.jobs, call.atEnd]).toEqual([false, [], [], []]);
	});

	it('uploads no file', async () => {
		const call = recordedCall();
		const body = new File(['x'], 'x.pdf');
		const upload = { url: 'https://a.example', method: 'PUT', headers: {}, body } as const;
		const told = await estimate(async (estimating) => void (await estimating.upload(upload)), call);
		expect([told.requests, call.uploads]).toEqual([[], []]);
	});

	it('adds up several requests and lists those that are free', async () => {
		const query = { status: 'active' };
		const free = asRequest({ method: 'GET', path: '/interact', query });
		const planned = async (...requests: Request[]) =>
			await estimate(async (call) => await call.plan(requests), recordedCall());
		const both = await planned(free, { ...start, price: fixedPrice(3, 'three') });
		expect(both).toMatchObject({ minCredits: 3, maxCredits: 3, reasons: ['three'] });
		expect(both.requests).toHaveLength(2);
		expect(await planned(free)).toEqual({
			requests: [{ method: 'GET', path: '/v2/interact', query }],
			minCredits: 0,
			maxCredits: 0,
			pdfsCostMore: false,
			xPagesCostMore: false,
			reasons: ['Free'],
		});
	});

	it('has null for an unknown maximum', async () => {
		const open = { ...start, price: openPrice(0, 0, 'nobody knows') };
		const told = await estimate(async (call) => await call.plan([open]), recordedCall());
		expect(told).toMatchObject({ minCredits: 0, maxCredits: null, reasons: ['nobody knows'] });
	});

	it('sends requests for prices and throws errors of the operation', async () => {
		const asking = asRequest({ method: 'POST', path: '/scrape', isPriceQuery: true });
		const call = recordedCall({ price: 15 });
		const told = await estimate(async (estimating) => {
			const { body } = await estimating.send(asking);
			await estimating.send({ ...start, body: Object(body) });
		}, call);
		expect(call.sent).toEqual([sentFor(asking)]);
		expect(told.requests).toMatchObject([{ body: { price: 15 } }]);
		const failing = estimate(async () => await Promise.reject(new Error('no file')), call);
		await expect(failing).rejects.toThrow('no file');
	});

	it('redacts the API key and the values of headers', async () => {
		const form = new FormData();
		form.append('options', JSON.stringify({ headers: { Cookie: 'in=1' } }));
		form.append('file', new File(['four'], 'a.pdf', { type: 'application/pdf' }));
		const body = {
			headers: { Cookie: 'in=1' },
			webhook: { url: 'https://a.example/?key=fc-secret', headers: { Authorization: 'Bearer x' } },
			schema: { properties: { headers: { type: 'string' } } },
		};
		const call = {
			...recordedCall(),
			errorSource: errorSource({ redact: (text) => text.replaceAll('fc-secret', '***') }),
		};
		const plan = [body, form].map((each) => ({ ...start, body: each }));
		const told = await estimate(async (estimating) => await estimating.plan(plan), call);
		const headers = { Cookie: '***' };
		const webhook = { url: 'https://a.example/?key=***', headers: { Authorization: '***' } };
		const file = { fileName: 'a.pdf', mimeType: 'application/pdf', bytes: 4 };
		expect(told.requests).toMatchObject([
			{ body: { headers, webhook, schema: body.schema } },
			{ body: { options: { headers }, file } },
		]);
	});
});
