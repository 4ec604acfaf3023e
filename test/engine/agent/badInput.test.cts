import type { INodeParameters } from 'n8n-workflow';
import { prompt, unknownId, useAgents } from './agents.cjs';

interface BadInput {
	operation?: string;
	set: INodeParameters;
	/** What the message says, the field by its name in the editor first. */
	says: string[];
}

const field = (set: INodeParameters, ...says: string[]): BadInput => ({
	set: { additionalFields: set },
	says,
});
const exchange = (set: INodeParameters, ...says: string[]): BadInput =>
	field({ exchange: set }, 'Exchange', ...says);
const id = (operation: string, set: INodeParameters, ...says: string[]): BadInput => ({
	operation,
	set,
	says,
});

const bad: Record<string, BadInput> = {
	'an empty prompt': { set: { prompt: '={{ "" }}' }, says: ['Prompt', 'required'] },
	'a prompt that is missing': {
		set: { prompt: '={{ $json.absent }}' },
		says: ['Prompt', 'required'],
	},
	'a blank prompt': { set: { prompt: '={{ "  " }}' }, says: ['Prompt', 'blank'] },
	'a prompt of 10001 characters': {
		set: { prompt: 'x'.repeat(10_001) },
		says: ['Prompt', '10,000', '10,001'],
	},
	'a URL of another scheme': field({ urls: 'ftp://a.example' }, 'URLs', 'entry 1', 'http'),
	'a URL that is none': field(
		{ urls: 'https://a.example, https://not:a:url' },
		'URLs',
		'entry 2',
		'https://not:a:url',
	),
	'a URL without a host': field({ urls: 'localpage' }, 'URLs', 'entry 1', 'localpage'),
	'a schema that is not valid JSON': {
		set: { schemaType: 'schema', schema: '{"type": "object",' },
		says: ['Schema', 'JSON'],
	},
	'a schema with a keyword that the service does not know': {
		set: {
			schemaType: 'schema',
			schema: '{"type": "object", "properties": {"price": {"type": "number", "example": 9.5}}}',
		},
		says: ["'Schema > properties > price'", "'example'"],
	},
	'an example in the place of the schema': {
		set: { schemaType: 'schema', schema: '{"company": "Ember Roast", "founded": 2011}' },
		says: ['Schema', 'looks like an example', 'let the schema come from Example'],
	},
	'a schema that is nested too deep': {
		set: {
			schemaType: 'schema',
			schema: '={{ Array.from({ length: 600 }).reduce((inner) => ({ inner }), {}) }}',
		},
		says: ['Schema', 'nested deeper than 500 levels'],
	},
	'a schema of JSON that is nested too deep': {
		set: { schemaType: 'schema', schema: '{"a":'.repeat(5000) + '1' + '}'.repeat(5000) },
		says: ['Schema', 'nested deeper than 500 levels'],
	},
	'a schema that is a list': {
		set: { schemaType: 'schema', schema: '[]' },
		says: ['Schema', 'object'],
	},
	'a schema that is a number': {
		set: { schemaType: 'schema', schema: '={{ 3 }}' },
		says: ['Schema', 'object'],
	},
	'an example that is not valid JSON': {
		set: { schemaType: 'example', schemaExample: '{a: 1}' },
		says: ['Example', 'JSON'],
	},
	'an example that is a list': {
		set: { schemaType: 'example', schemaExample: '[{"a": 1}]' },
		says: ['Example', 'object'],
	},
	'no credits at most': field({ maxCredits: 0 }, 'Max Credits', 'not 0'),
	'half a credit at most': field({ maxCredits: 2.5 }, 'Max Credits', 'whole number', '2.5'),
	'credits in words': field({ maxCredits: '={{ "many" }}' }, 'Max Credits', 'many'),
	'an effort that does not exist': field({ effort: '={{ "huge" }}' }, 'Effort', 'low', 'huge'),
	'a mode that does not exist': field({ mode: '={{ "talk" }}' }, 'Mode', 'extract', 'chat', 'talk'),
	'a thread that is no UUID': field({ threadId: 'abc/../x' }, 'Thread ID', 'abc/../x'),
	'only these URLs without any': field({ strictConstrainToURLs: true }, 'Only These URLs', 'URLs'),
	'a webhook without address': field(
		{ webhook: { events: ['completed'] } },
		'Webhook',
		'URL',
		'required',
	),
	'a webhook of another scheme': field(
		{ webhook: { url: 'mailto:a@b.example' } },
		'Webhook',
		'URL',
		'http',
	),
	'a webhook that is no address': field(
		{ webhook: { url: 'not a url' } },
		'Webhook',
		'URL',
		'not a url',
	),
	'an audit name of 1025': field(
		{ auditMetadata: { username: 'x'.repeat(1025) } },
		'Audit Metadata',
		'Username',
		'1,024',
	),
	'a risk score of 101': field(
		{ threatProtection: { riskScoreThreshold: 101 } },
		'Threat Protection',
		'Risk Score Threshold',
		'100',
	),
	'six toolkits': exchange({ toolkits: 'a, b, c, d, e, f' }, 'Toolkits', '5', '6'),
	'no calls at most': exchange({ maxCalls: 0 }, 'Max Calls', '1', '30', 'not 0'),
	'31 calls': exchange({ maxCalls: 31 }, 'Max Calls', '30', 'not 31'),
	'terms to be accepted by the node': exchange(
		{ onTermsRequired: '={{ "accept" }}' },
		'On Terms Required',
		'skip',
		'ask',
		'accept',
	),
	'approval without mode chat': exchange({ requireApproval: true }, 'Require Approval', 'Chat'),
	'approval in a run of mode extract': field(
		{ mode: 'extract', exchange: { requireApproval: true } },
		'Require Approval',
		'Chat',
	),
	'an approval without its id': field(
		{ threadId: unknownId, exchange: { approve: { always: true } } },
		'Approve',
		'Approval ID',
		'required',
	),
	'an approval outside a thread': exchange(
		{ approve: { approvalId: unknownId } },
		'Approve',
		'Thread ID',
	),
	'a refusal outside a thread': exchange(
		{ decline: { approvalId: unknownId } },
		'Decline',
		'Thread ID',
	),
	'approval and refusal at once': field(
		{
			threadId: unknownId,
			exchange: { approve: { approvalId: unknownId }, decline: { approvalId: unknownId } },
		},
		'Approve',
		'Decline',
	),
	'a negative wait': { set: { maxWait: -1 }, says: ['Max Wait', 'not -1'] },
	'an end of the wait that does not exist': {
		set: { waiting: { onDeadline: '={{ "shrug" }}' } },
		says: ['When the Wait Is Over', 'shrug'],
	},
	'a job id that climbs the path': id('get', { jobId: 'abc/../x' }, 'Job ID', 'abc/../x'),
	'a job id with a query': id('get', { jobId: `${unknownId}?x=1` }, 'Job ID'),
	'a job id to cancel that climbs': id('cancel', { jobId: '../scrape/1' }, 'Job ID', '../scrape/1'),
	'an empty job id': id('getTrace', { jobId: '={{ "" }}' }, 'Job ID', 'required'),
	'a trace of no UUID': id('getTrace', { jobId: 'job-1' }, 'Job ID', 'job-1'),
	'a snapshot of no job': id('getSnapshot', { jobId: 'x', snapshotId: unknownId }, 'Job ID'),
	'a snapshot without id': id(
		'getSnapshot',
		{ jobId: unknownId, snapshotId: '={{ " " }}' },
		'Snapshot ID',
	),
	'a snapshot whose id climbs the path': id(
		'getSnapshot',
		{ jobId: unknownId, snapshotId: '..' },
		'Snapshot ID',
	),
	'a snapshot whose id stays where it is': id(
		'getSnapshot',
		{ jobId: unknownId, snapshotId: '.' },
		'Snapshot ID',
	),
	'a thread whose id climbs': id('getThread', { threadId: '../x' }, 'Thread ID', '../x'),
	'a limit of 0': id('getAll', { limit: 0 }, 'Limit', 'not 0'),
	'a limit of 1.5': id('getAll', { limit: 1.5 }, 'Limit', 'whole number'),
	'a moment that is none': id(
		'getAll',
		{ additionalFields: { before: '={{ "soon" }}' } },
		'Before',
		'date',
	),
};

describe('bad input to an agent operation', () => {
	const agents = useAgents();

	it.each(Object.entries(bad))(
		'is refused before any request: %s',
		async (_name, { operation = 'run', set, says }) => {
			const run = await agents.run(operation, {
				...(operation === 'run' && { prompt }),
				...set,
			});

			expect(run.status).toBe('error');
			for (const words of says) expect(run.error?.message).toContain(words);
			expect(run.error?.message).toContain('[item 0]');
			expect(agents.requests).toEqual([]);
		},
	);

	it.each(['run', 'start'])(
		'stops a whole %s before its first request when one item is bad',
		async (operation) => {
			const run = await agents.run(
				operation,
				{ prompt: '={{ $json.prompt }}' },
				{ input: [{ prompt }, { prompt: '' }] },
			);

			expect(run.error?.message).toMatch(/'Prompt'.*\[item 1\]/);
			expect(agents.requests).toEqual([]);
		},
	);
});
