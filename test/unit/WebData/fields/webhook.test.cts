import { exchange } from '../../../../nodes/WebData/fields/exchange';
import { documentWebhook, webhook } from '../../../../nodes/WebData/fields/webhook';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const approvalId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

describe('a webhook', () => {
	it('is read from the editor', () => {
		expect(
			accepted(documentWebhook.valueSchema, {
				url: 'https://n8n.example/webhook/1',
				headers: [{ name: 'X-Token', value: 't' }],
				metadata: [{ name: 'order', value: 7 }],
				events: ['completed', 'failed'],
			}),
		).toEqual({
			url: 'https://n8n.example/webhook/1',
			headers: { 'X-Token': 't' },
			metadata: { order: '7' },
			events: ['completed', 'failed'],
		});
	});

	it("and in the API's own shape", () => {
		const given = {
			url: 'https://n8n.example/1',
			headers: { A: 'b' },
			metadata: { c: 'd' },
			events: ['page'],
		};
		expect(accepted(documentWebhook.valueSchema, given)).toEqual(given);
		expect(accepted(documentWebhook.valueSchema, JSON.stringify(given))).toEqual(given);
	});

	it('is an address alone, too, in Request (JSON)', () => {
		expect(accepted(documentWebhook.valueSchema, 'https://a.example/in')).toEqual({
			url: 'https://a.example/in',
		});
	});

	it("may be called inside the service's own network", () => {
		const given = { url: 'http://n8n:5678/webhook/1' };
		expect(accepted(documentWebhook.valueSchema, given)).toEqual(given);
	});

	it('sends no empty list of events: none chosen means all', () => {
		expect(
			accepted(documentWebhook.valueSchema, { url: 'https://a.example', events: [], headers: {} }),
		).toEqual({
			url: 'https://a.example',
		});
	});

	it.each<[unknown, string]>([
		[{ events: ['failed'] }, 'url is required'],
		[
			{ url: 'ftp://a.example' },
			'url must be a URL that starts with http:// or https://, not ftp://a.example',
		],
		[
			{ url: 'n8n.example/webhook/1' },
			'url must be a URL that starts with http:// or https://, not n8n.example/webhook/1',
		],
		[
			{ url: 'https://a.example', headers: { A: { b: 1 } } },
			'headers must have a name and a text in every entry',
		],
		[
			{ url: 'https://a.example', events: ['page', 'cancelled'] },
			'events 1 must be one of completed, failed, page, started, not cancelled',
		],
		['a.example', 'url must be a URL that starts with http:// or https://, not a.example'],
		[
			{ url: 'https://a.example', metadata: ['a'] },
			'metadata must have a name and a text in every entry',
		],
	])('%j is refused', (given, words) => {
		expect(refusals(documentWebhook.valueSchema, given)).toEqual([words]);
	});

	it('offers the events of its job', () => {
		const page = { name: 'Page', value: 'page' };
		const [first] = webhook([page]).property?.options ?? [];
		expect(first).toMatchObject({ name: 'events', options: [page], default: [] });
	});
});

describe('paid data sources', () => {
	it.each<[object, object]>([
		[{ enabled: false }, { enabled: false }],
		[
			{ toolkits: 'a, b', maxCalls: '30' },
			{ toolkits: ['a', 'b'], maxCalls: 30 },
		],
		[
			{ requireApproval: false, onTermsRequired: 'ask' },
			{ requireApproval: false, onTermsRequired: 'ask' },
		],
		[
			{ approve: { approvalId, callIds: 'c1, c2', always: false } },
			{ approve: { approvalId, callIds: ['c1', 'c2'], always: false } },
		],
		[{ approve: { approvalId, callIds: '' } }, { approve: { approvalId } }],
		[{ approve: {}, decline: { approvalId } }, { decline: { approvalId } }],
	])('%j', (given, sent) => {
		expect(accepted(exchange.valueSchema, given)).toEqual(sent);
	});

	it.each<[object, string]>([
		[{ maxCalls: 0 }, 'maxCalls must be a whole number from 1 to 30, not 0'],
		[{ maxCalls: 31 }, 'maxCalls must be a whole number from 1 to 30, not 31'],
		[{ toolkits: 'a,b,c,d,e,f' }, 'toolkits must be a list of at most 5 entries, not 6'],
		[{ onTermsRequired: 'accept' }, 'onTermsRequired must be one of ask, skip, not accept'],
		[{ approve: { always: true } }, 'approve approvalId is required'],
		[
			{ decline: { approvalId: 'ap-1' } },
			'decline approvalId must be an ID such as 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b, not ap-1',
		],
		[
			{ approve: { approvalId }, decline: { approvalId } },
			`approve cannot be used together with 'Decline'`,
		],
	])('%j is refused', (given, words) => {
		expect(refusals(exchange.valueSchema, given)).toEqual([words]);
	});
});
