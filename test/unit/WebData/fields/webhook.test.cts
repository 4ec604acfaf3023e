import { documentWebhook, webhook } from '../../../../nodes/WebData/fields/webhook';
import { accepted, refusals } from '../../schemaAssertions.cjs';

describe('a webhook', () => {
	it('is read from the editor', () => {
		expect(
			accepted(documentWebhook.valueSchema, {
				url: 'https://n8n.example/webhook/1',
				events: ['completed', 'failed'],
			}),
		).toEqual({
			url: 'https://n8n.example/webhook/1',
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
		expect(accepted(documentWebhook.valueSchema, { url: 'https://a.example', events: [] })).toEqual(
			{
				url: 'https://a.example',
			},
		);
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
			{ url: 'https://a.example', events: ['page', 'cancelled'] },
			'events 1 must be one of completed, failed, page, started, not cancelled',
		],
		['a.example', 'url must be a URL that starts with http:// or https://, not a.example'],
	])('%j is refused', (given, words) => {
		expect(refusals(documentWebhook.valueSchema, given)).toEqual([words]);
	});

	it('offers the events of its job', () => {
		const page = { name: 'Page', value: 'page' };
		const [first] = webhook([page]).property?.options ?? [];
		expect(first).toMatchObject({ name: 'events', options: [page], default: [] });
	});
});
