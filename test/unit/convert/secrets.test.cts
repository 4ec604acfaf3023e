import type { JsonObject } from '../../../tools/convert/json.cjs';
import { reportText } from '../../../tools/convert/report.cjs';
import { parseWorkflow } from '../../../tools/convert/workflow.cjs';
import { converted, host, type Sketch } from './build.cjs';

/** Keys in plain text are named by their nodes, never repeated, and not carried over. */
const url = 'https://tidewatch.example/';
const key = 'fc-0123456789abcdef0123456789abcdef';
const secret = 'of-my-own-server';

const sent = { sendHeaders: true, specifyHeaders: 'json' };
const pair = (name: string, value: string): JsonObject => ({
	sendHeaders: true,
	headerParameters: { parameters: [{ name, value }] },
});
const formerJson = { requestMethod: 'POST', jsonParameters: true };

const page = (parameters: JsonObject, typeVersion = 4.2): Sketch => [
	'Page',
	'n8n-nodes-base.httpRequest',
	{ method: 'POST', url: `${host}/v1/scrape`, ...parameters },
	{ typeVersion },
];

it.each<[place: string, sketch: Sketch]>([
	['JSON', page({ ...sent, jsonHeaders: `{"Authorization":"Bearer ${secret}"}` })],
	['a template', page({ ...sent, jsonHeaders: `={"Authorization":"Bearer ${secret}"}` })],
	['an expression without code', page(pair('authorization', `=Bearer ${secret}`))],
	['a pair', page(pair('Authorization', `Bearer ${key}`))],
	[
		'JSON of a former version',
		page({ ...formerJson, headerParametersJson: `{"Authorization":"Bearer ${key}"}` }, 1),
	],
])('A secret in headers as %s is named by its node', (_place, sketch) => {
	const { report, workflow } = converted([sketch]);

	expect(report.keys).toEqual(['"Page"']);
	expect(JSON.stringify(workflow) + reportText(report)).not.toMatch(`${secret}|${key}`);
});

it.each([
	{ ...sent, jsonHeaders: '={"Authorization":"Bearer {{ $env.KEY }}"}' },
	pair('Authorization', '=Bearer {{ $json.key }}'),
])('A secret that is read is not in plain text: %j', (headers) => {
	expect(converted([page(headers)]).report.keys).toEqual([]);
});

it('A key in another node, and in pinned data, is named', () => {
	const pinData = { Start: [{ json: { key } }] };
	const sketches: Sketch[] = [['Config', 'set', { apiKey: key }], page({})];
	const { report } = converted(sketches, undefined, { pinData });

	expect(report.keys).toEqual(['"Config"', 'the pinned data of "Start"']);
	expect(reportText(report)).not.toContain(key);
});

it.each<JsonObject>([
	{ url, apiKey: key },
	{ url, headers: { Authorization: `Bearer ${key}` } },
])('A key in a body is not carried over: %j', (body) => {
	const { report, workflow } = converted([['Page', 'POST /v2/scrape', body]]);

	expect(report.keys).toHaveLength(1);
	expect(JSON.stringify(workflow) + reportText(report)).not.toContain(key);
});

it('A key in names is not repeated', () => {
	const { report, parametersOf } = converted([
		['Page', `POST /v2/scrape?${key}=1`, { url, [key]: 1 }],
		['Other', 'firecrawl', { operation: key }],
	]);

	expect(reportText(report)).not.toContain(key);
	const notes = ['Page', 'Other'].map((name) => parametersOf(`Note on ${name}`));
	expect(JSON.stringify(notes)).not.toContain(key);
});

it.each([key, `{"nodes": ${key}`])('A key that is no workflow is not repeated: %s', (text) => {
	expect(() => parseWorkflow(text)).toThrow(/^This is no JSON/);
	expect(() => parseWorkflow(text)).not.toThrow(key.slice(0, 6));
});
