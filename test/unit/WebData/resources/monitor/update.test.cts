import { uncheckedIn } from '../../../../../nodes/runtime/form/passUnknown';
import { update } from '../../../../../nodes/WebData/resources/monitor/update';
import { perform } from '../../../calls.cjs';
import { refusalOf } from '../../../schemaAssertions.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const monitorId = { __rl: true, mode: 'id', value: id };

async function sent(additionalFields: Record<string, unknown>) {
	const parameters = { monitorId, additionalFields };
	const { call } = await perform(update, parameters, { success: true, data: {} });
	const [request] = call.sent;
	expect(request).toMatchObject({ method: 'PATCH', path: `/monitor/${id}`, retrySafety: 'free' });
	return request.body;
}

const refusal = (additionalFields: Record<string, unknown>, picked: unknown = monitorId) =>
	refusalOf(update, { monitorId: picked, additionalFields });

describe('the changes of a monitor', () => {
	it.each<[Record<string, unknown>, Record<string, unknown>?]>([
		[{ status: 'paused' }],
		[{ name: 'Docs', status: 'active' }],
		[{ schedule: { text: 'hourly' } }],
		[{ goal: 'A price changes' }],
		[{ judgeEnabled: false }],
		[{ retentionDays: 7 }],
		[{ webhook: { url: 'https://a.example' } }],
		[{ notification: { slack: { enabled: false } } }],
		[
			{ targets: { values: [{ type: 'search', queries: 'a', options: { id } }] } },
			{ targets: [{ type: 'search', queries: ['a'], id }] },
		],
		[{ name: '', goal: 'A', schedule: {}, targets: {} }, { goal: 'A' }],
		[{ clearFields: ['goal'] }, { goal: null }],
		[
			{ clearFields: ['notification'], goal: 'A' },
			{ goal: 'A', notification: {} },
		],
		[
			{ requestJson: { notification: null, status: 'active' } },
			{ notification: {}, status: 'active' },
		],
		[{ goal: 'A', requestJson: '{"goal": null}' }, { goal: null }],
		// An expression that finds nothing changes nothing.
		[{ goal: null, status: 'active' }, { status: 'active' }],
		[{ clearFields: [], status: 'active' }, { status: 'active' }],
	])('%j', async (additionalFields, body = additionalFields) => {
		expect(await sent(additionalFields)).toEqual(body);
	});

	it.each<[Record<string, unknown>]>([
		[{}],
		[{ name: '', goal: null, webhook: {}, clearFields: [], requestJson: '{}' }],
	])('%j is nothing to send', (additionalFields) => {
		expect(refusal(additionalFields)).toBe(
			`The request changes nothing: set 'Targets' or at least one of the 'Update Fields'`,
		);
	});

	const webhookStays = `'Webhook' cannot be cleared: the API does not support removing a webhook. Change its URL, or create a new monitor`;

	it.each<[Record<string, unknown>, string]>([
		[{ status: 'deleted' }, `'Status' must be one of active, paused, not deleted`],
		[
			{ clearFields: ['name'] },
			`'Fields to Clear > entry 1' must be one of goal, notification, not name`,
		],
		[{ clearFields: ['webhook'] }, webhookStays],
		[{ requestJson: { webhook: null } }, webhookStays],
		[{ clearFields: ['goal'], goal: 'A' }, `'Goal' cannot be set and cleared at once`],
		[{ targets: [] }, `'Targets' must be a list from 1 to 50 entries, not 0`],
		[{ schedule: { timezone: 'UTC' } }, `'Schedule' requires 'Cron' or 'Text'`],
		// The monitor is the one picked, whatever the JSON says.
		[{ requestJson: { monitorId: id } }, `The request has no field 'monitorId'`],
		[
			{ requestJson: '[' },
			`'Request (JSON)' is not valid JSON at line 1, column 2: the text ends before the JSON does`,
		],
	])('refuses %j', (additionalFields, words) => {
		expect(refusal(additionalFields)).toBe(words);
	});

	it('may be one that the node does not know', () => {
		const additionalFields = { requestJson: { origin: 'n8n' } };
		const result = update.schema.safeParse(update.read({ monitorId, additionalFields }));
		expect(result.data).toEqual({ id, changes: { origin: 'n8n' } });
		expect(uncheckedIn(result.data)).toEqual([['origin']]);
	});

	it('need a monitor', () => {
		expect(refusal({ status: 'active' }, { __rl: true, mode: 'list', value: '' })).toBe(
			`'Monitor' is required`,
		);
	});

	it('return the monitor', async () => {
		const data = { id, status: 'paused' };
		const parameters = { monitorId, additionalFields: { status: 'paused' } };
		const { results } = await perform(update, parameters, { success: true, data });
		expect(results).toEqual([{ json: data }]);
	});
});
