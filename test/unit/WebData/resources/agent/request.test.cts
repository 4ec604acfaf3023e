import { agentRequest } from '../../../../../nodes/WebData/resources/agent/request';
import { accepted, refusalOf } from '../../../schemaAssertions.cjs';

const { read, schema } = agentRequest;
const threadId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const prompt = 'Find the founders';

const sent = (parameters: Record<string, unknown>) =>
	accepted(schema, read({ prompt, ...parameters }));
const more = (additionalFields: Record<string, unknown>) => sent({ additionalFields });

const refusal = (additionalFields: Record<string, unknown>, rest: Record<string, unknown> = {}) =>
	refusalOf(agentRequest, { prompt, ...rest, additionalFields });

describe('what an agent is asked', () => {
	it('is the prompt alone when nothing else is set', () => {
		expect(sent({})).toEqual({ prompt });
		const blank = { schema: '{}', schemaExample: '{}', additionalFields: {} };
		expect(sent({ schemaType: 'schema', ...blank })).toEqual({ prompt });
	});

	it.each<[Record<string, unknown>, Record<string, unknown>?]>([
		[{ urls: 'https://a.example, b.example/c' }, { urls: ['https://a.example', 'b.example/c'] }],
		[{ maxCredits: 1 }],
		[{ strictConstrainToURLs: true, urls: ['https://a.example'] }],
		[{ strictConstrainToURLs: false }],
		[{ strictConstrainToURLs: true, threadId }],
		[{ effort: 'low' }],
		[{ model: 'spark-2' }],
		[{ threadId: threadId.toUpperCase() }, { threadId }],
		[{ mode: 'chat' }],
		[{ webhook: { url: 'https://a.example/h', events: ['failed'] } }],
		[{ auditMetadata: { username: 'ada' } }],
		[{ threatProtection: { mode: 'off' } }],
		[{ urls: '', model: '', threadId: '', webhook: {} }, {}],
		[{ threatProtection: { blacklist: '' } }, {}],
	])('%j', (additionalFields, members = additionalFields) => {
		expect(more(additionalFields)).toEqual({ prompt, ...members });
	});

	it('has the schema, or the one that an example follows', () => {
		expect(sent({ schema: '{"type": "object"}' })).toEqual({ prompt, schema: { type: 'object' } });
		expect(sent({ schemaType: 'example', schemaExample: '{"a": [1, "x"]}' })).toEqual({
			prompt,
			schema: {
				type: 'object',
				properties: { a: { type: 'array', items: { type: ['number', 'string'] } } },
			},
		});
	});

	it.each<[Record<string, unknown>, string]>([
		[{ strictConstrainToURLs: true }, `'Only These URLs' requires 'URLs'`],
		[{ strictConstrainToURLs: true, urls: '={{ [] }}' }, expect.stringContaining(`'URLs`)],
		[{ effort: 'huge' }, `'Effort' must be one of high, low, medium, not huge`],
		[{ mode: 'dance' }, `'Mode' must be one of chat, extract, not dance`],
		[
			{ threadId: 'thread-1' },
			`'Thread ID' must be an ID such as 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b, not thread-1`,
		],
		[
			{ urls: 'https://a.example, ftp://b.example' },
			`'URLs > entry 2' must start with http:// or https://, not ftp:`,
		],
		[{ webhook: { events: ['failed'] } }, `'Webhook > URL' is required`],
	])('refuses %j', (additionalFields, words) => {
		expect(refusal(additionalFields)).toEqual(words);
	});

	it.each<[Record<string, unknown>, string]>([
		[{ prompt: '' }, `'Prompt' is required`],
		[{ prompt: ' ' }, `'Prompt' must not be blank`],
		[
			{ schema: '{"a"' },
			`'Schema' is not valid JSON at line 1, column 5: the text ends before the JSON does`,
		],
		[{ schemaType: 'example', schemaExample: '17' }, `'Example' must be a JSON object`],
	])('refuses %j', (parameters, words) => {
		expect(refusal({}, parameters)).toBe(words);
	});
});
