import { convert } from '../../../tools/convert/convert.cjs';
import { objectOf, type JsonObject } from '../../../tools/convert/json.cjs';
import { reportText } from '../../../tools/convert/report.cjs';
import { parseWorkflow, type Workflow } from '../../../tools/convert/workflow.cjs';
import {
	code,
	http,
	isEqual,
	official,
	other,
	set,
	wait,
	workflowOf,
	type Sketch,
} from './build.cjs';

const url = 'https://tidewatch.example/';
const page = official('Page', { operation: 'scrape', url });
const base = (type: string) => `n8n-nodes-base.${type}`;
const ai = (type: string) => `@n8n/n8n-nodes-langchain.${type}`;

const nodeOf = ({ nodes }: Workflow, name: string) => nodes.find((node) => node.name === name);

describe('Names of what every object has', () => {
	const action = (type: string) => ({
		scrapeOptions: { options: { actions: { items: [{ type }] } } },
	});
	const format = (type: string) => ({
		scrapeOptions: { options: { formats: { format: [{ type, prompt: 'x' }] } } },
	});

	const names = ['constructor', 'toString', '__proto__', '__defineGetter__', 'hasOwnProperty'];
	const hostile = names.flatMap((name): JsonObject[] => [
		{ url, ...action(name) },
		{ url, ...format(name) },
		{ operation: 'agent', prompt: 'x', schemaType: name },
		{ resource: name },
		{ operation: name },
		{ url, [name]: 1 },
	]);

	it.each(hostile.map((parameters) => ({ parameters })))(
		'are no other names for the converter: %j',
		({ parameters }) => {
			const { report } = convert(workflowOf([official('Node', parameters)]));

			expect(report.rows).toHaveLength(1);
		},
	);

	it.each(['constructor', '__proto__', 'toString'])('go along in a body: %s', (name) => {
		const body = `{"url":"${url}","${name}":{"a":1},"formats":[{"type":"${name}","x":1}]}`;
		const { workflow } = convert(workflowOf([http('Node', 'POST', '/v2/scrape', body)]));

		const { additionalFields } = nodeOf(workflow, 'Node')?.parameters ?? {};
		const { requestJson } = Object(additionalFields);
		expect(Object.getOwnPropertyNames(JSON.parse(requestJson))).toEqual(
			expect.arrayContaining([name, 'formats']),
		);
	});

	it.each(['constructor', 'toString'])('name nodes too: %s', (name) => {
		const { workflow, report } = convert(
			workflowOf([{ ...page, name }, set('Result', { text: '={{ $json.data.markdown }}' })]),
		);

		expect(report.rows).toMatchObject([{ node: name, state: 'whole' }]);
		expect(JSON.stringify(nodeOf(workflow, 'Result'))).toContain('{{ $json.markdown }}');
	});
});

describe('Code without end', () => {
	it.each([
		['a chain', `$json${'.a'.repeat(40_000)}`],
		['calls', `$json.a${'.b()'.repeat(20_000)}`],
		['a chain of something else', `x${'.a(y.z)'.repeat(10_000)}`],
		['a sum', `1${' + 1'.repeat(60_000)}`],
		['parentheses', `${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
	])('is no reason to stop: %s', (_name, text) => {
		const { report } = convert(workflowOf([page, set('Result', { text: `={{ ${text} }}` })]));

		expect(report.rows).toHaveLength(1);
	});

	it('in many nodes of similar names is read once', () => {
		const pages = Array.from({ length: 300 }, (_, index) => ({ ...page, name: `a${index}` }));
		const sets = Array.from({ length: 300 }, (_, index) =>
			set(`set ${index}`, { text: `={{ $('a1').item.json.data.markdown + a${index} }}` }),
		);

		expect(convert(workflowOf([...pages, ...sets])).report.rows).toHaveLength(300);
	});
});

describe('What reads a converted node in another way', () => {
	const outputBehind = (sketches: Sketch[], links?: string[], first = page) => {
		const { workflow } = convert(workflowOf([first, ...sketches], links));
		const { output = 'results' } = objectOf(nodeOf(workflow, first.name)?.parameters.options);
		return { output, workflow };
	};

	it.each<[name: string, sketch: Sketch]>([
		[
			'a script in Python',
			other(
				'Next',
				base('code'),
				{ language: 'python', pythonCode: 'return [{"json": _input.first().json.data}]' },
				2,
			),
		],
		[
			'a Function Item node',
			other('Next', base('functionItem'), {
				functionCode: 'item.text = item.data.markdown; return item',
			}),
		],
		['the item of a script', code('Next', 'return { json: { text: item.json.data.markdown } }')],
		[
			'a Sort node',
			other('Next', base('sort'), {
				sortFieldsUi: { sortField: [{ fieldName: 'data.metadata.title' }] },
			}),
		],
		[
			'a Merge node by fields',
			other(
				'Next',
				base('merge'),
				{ mode: 'combine', fieldsToMatchString: 'data.metadata.url' },
				3,
			),
		],
		['a summary', other('Next', ai('chainSummarization'), {}, 2)],
		['a former spreadsheet', other('Next', base('googleSheets'), { operation: 'append' }, 2)],
		['a former table', other('Next', base('airtable'), { operation: 'append' }, 1)],
		[
			'a name that is computed',
			set('Next', { text: `={{ $($json.success ? 'Page' : 'Start').item.json.data.markdown }}` }),
		],
	])('keeps the whole response: %s', (_name, sketch) => {
		expect(outputBehind([sketch]).output).toBe('raw');
	});

	it('keeps the whole response for a name that is computed far behind', () => {
		const far = set('Far', { text: '={{ $($json.which).item.json.data.markdown }}' });

		expect(outputBehind([set('Between', { which: 'Page' }), far]).output).toBe('raw');
	});

	it('is a part of an agent', () => {
		const workflow = workflowOf(
			[
				page,
				other(
					'Agent',
					ai('agent'),
					{ promptType: 'define', text: '={{ $json.data.markdown }}' },
					2,
				),
				other('Memory', ai('memoryBufferWindow'), { sessionKey: '={{ $json.data.metadata.url }}' }),
			],
			['Start > Page', 'Page > Agent'],
		);
		workflow.connections.Memory = { ai_memory: [[{ node: 'Agent', type: 'ai_memory', index: 0 }]] };

		const { workflow: result } = convert(workflow);

		expect(nodeOf(result, 'Agent')?.parameters.text).toBe('={{ $json.markdown }}');
		expect(nodeOf(result, 'Memory')?.parameters.sessionKey).toBe('={{ $json.url }}');
	});

	it.each([`It's "my" page`, 'Page \\ 1'])('names it with escapes: %s', (name) => {
		const quoted = name.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
		const { output, workflow } = outputBehind(
			[
				set('Between', { one: '1' }),
				set('Result', { text: `={{ $('${quoted}').item.json.data.markdown }}` }),
			],
			undefined,
			{ ...page, name },
		);

		expect(output).toBe('results');
		expect(JSON.stringify(nodeOf(workflow, 'Result'))).toContain('.item.json.markdown }}');
	});
});

describe('A loop', () => {
	const start = official('Crawl', { resource: 'Crawling', operation: 'crawl', url });
	const status = official('Status', {
		resource: 'Crawling',
		operation: 'getCrawlStatus',
		crawlId: `={{ $('Crawl').item.json.id }}`,
	});
	const done = isEqual('Done?', '={{ $json.data.status }}', 'completed');
	const links = [
		'Start > Crawl',
		'Crawl > Wait',
		'Wait > Status',
		'Status > Done?',
		'Done? > Result',
		'Done?:1 > Wait',
	];
	const read = set('Result', { text: `={{ $node["Status"].json.data.data[0].markdown }}` });
	const operationsOf = ({ nodes }: Workflow) =>
		nodes
			.filter(({ type }) => type.startsWith('n8n-nodes-web-data'))
			.map(({ parameters }) => parameters.operation);

	it('is read by the former form of names', () => {
		const { workflow } = convert(workflowOf([start, wait(), status, done, read], links));

		expect(operationsOf(workflow)).toEqual(['run']);
		expect(JSON.stringify(nodeOf(workflow, 'Result'))).not.toContain('Status');
	});

	it.each<[name: string, sketches: Sketch[], links: string[]]>([
		[
			'which is left if the job has failed only',
			[start, wait(), status, isEqual('Failed?', '={{ $json.data.status }}', 'failed'), read],
			[...links.slice(0, 3), 'Status > Failed?', 'Failed? > Result', 'Failed?:1 > Wait'],
		],
		[
			'which is left while the job is running',
			[start, wait(), status, done, read],
			[...links.slice(0, 4), 'Done?:1 > Result', 'Done? > Wait'],
		],
		[
			'in which a person has a say',
			[start, other('Wait', base('wait'), { resume: 'form' }, 1.1), status, done, read],
			links,
		],
		['of which a node is off', [start, wait(), status, { ...done, disabled: true }, read], links],
		[
			'that waits for a day to come',
			[
				start,
				other('Wait', base('wait'), { resume: 'specificTime', dateTime: '2030-01-01' }, 1.1),
				status,
				done,
				read,
			],
			links,
		],
	])('stays, %s', (_name, sketches, theirs) => {
		const { workflow } = convert(workflowOf(sketches, theirs));

		expect(nodeOf(workflow, 'Status')).toBeDefined();
		expect(operationsOf(workflow)).not.toContain('run');
	});
});

describe('A secret', () => {
	const key = 'fc-0123456789abcdef0123456789abcdef';
	const secret = 'of-my-own-server';
	const withHeaders = (parameters: JsonObject, typeVersion = 4.2): Sketch => ({
		...http('Page', 'POST', '/v1/scrape', { url }),
		parameters: { ...http('Page', 'POST', '/v1/scrape', { url }).parameters, ...parameters },
		typeVersion,
	});
	const reported = (sketches: Sketch[]) => {
		const { report, workflow } = convert(workflowOf(sketches));
		return { keys: report.keys, report: reportText(report), workflow };
	};
	const sent = { sendHeaders: true, specifyHeaders: 'json' };

	it.each<[name: string, sketch: Sketch]>([
		['JSON', withHeaders({ ...sent, jsonHeaders: `{"Authorization":"Bearer ${secret}"}` })],
		['a template', withHeaders({ ...sent, jsonHeaders: `={"Authorization":"Bearer ${secret}"}` })],
		[
			'an expression without code',
			withHeaders({
				sendHeaders: true,
				headerParameters: { parameters: [{ name: 'authorization', value: `=Bearer ${secret}` }] },
			}),
		],
		[
			'an expression of a literal',
			withHeaders({
				sendHeaders: true,
				headerParameters: {
					parameters: [{ name: 'Authorization', value: `={{ "Bearer ${secret}" }}` }],
				},
			}),
		],
	])("of a server without the service's prefix is named in headers as %s", (_name, sketch) => {
		const { keys, report } = reported([sketch]);

		expect(keys).toHaveLength(1);
		expect(keys[0]).toMatch(/"Page" › \w*header\w* › authorization/i);
		expect(report).not.toContain(secret);
	});

	it.each<[name: string, sketch: Sketch]>([
		[
			'an expression that reads it',
			withHeaders({ ...sent, jsonHeaders: '={"Authorization":"Bearer {{ $env.KEY }}"}' }),
		],
		[
			'a former expression that reads it',
			withHeaders({
				sendHeaders: true,
				headerParameters: {
					parameters: [{ name: 'Authorization', value: '=Bearer {{ $json.key }}' }],
				},
			}),
		],
	])('is not seen in %s', (_name, sketch) => {
		expect(reported([sketch]).keys).toEqual([]);
	});

	it('in another node, and in pinned data, is named', () => {
		const config = set('Config', { apiKey: key });
		const workflow = { ...workflowOf([config, page]), pinData: { Start: [{ json: { key } }] } };
		const { report } = convert(workflow);

		expect(report.keys).toEqual(['"Config" › assignments › apiKey', '"Start" › pinned data']);
		expect(reportText(report)).not.toContain(key);
	});

	it.each([
		{ url, apiKey: key },
		{ url, headers: { Authorization: `Bearer ${key}` } },
	])('in a body is not carried over: %j', (body) => {
		const { keys, workflow, report } = reported([http('Page', 'POST', '/v2/scrape', body)]);

		expect(keys).toHaveLength(1);
		expect(JSON.stringify(workflow)).not.toContain(key);
		expect(report).not.toContain(key);
	});

	it('in names is not printed', () => {
		const { workflow, report } = reported([
			http('Page', 'POST', `/v2/scrape?${key}=1`, { url, [key]: 1 }),
			official('Other', { operation: key }),
		]);

		expect(report).not.toContain(key);
		expect(
			JSON.stringify(workflow.nodes.filter(({ type }) => type.endsWith('Note'))),
		).not.toContain(key);
	});

	it('that is no workflow is not repeated', () => {
		expect(() => parseWorkflow(key)).toThrow(/^This is no JSON/);
		expect(() => parseWorkflow(key)).not.toThrow(key.slice(0, 6));
		expect(() => parseWorkflow(`{"nodes": ${key}`)).not.toThrow(key.slice(0, 6));
	});
});
