import type { Json, JsonObject } from '../../../tools/convert/json.cjs';
import type { Connections, Workflow } from '../../../tools/convert/workflow.cjs';

/** A node of a sample, without its place. */
export interface Sketch {
	[field: string]: Json | undefined;
	name: string;
	type: string;
	parameters: JsonObject;
}

const node = (
	name: string,
	type: string,
	parameters: JsonObject = {},
	typeVersion = 1,
	more: Partial<Sketch> = {},
): Sketch => ({ id: `id of ${name}`, name, type, typeVersion, parameters, ...more });

const base = (type: string) => `n8n-nodes-base.${type}`;

const trigger = node('Start', base('manualTrigger'));

/** A node of the official package. */
export const official = (
	name: string,
	parameters: JsonObject,
	more: Partial<Sketch> = {},
): Sketch =>
	node(name, '@mendable/n8n-nodes-firecrawl.firecrawl', parameters, 1, {
		credentials: { firecrawlApi: { id: 'abc', name: 'Firecrawl account' } },
		...more,
	});

export const host = 'https://api.firecrawl.dev';

/** An HTTP Request node as versions from 4 on store it. */
export const http = (
	name: string,
	method: string,
	path: string,
	jsonBody?: string | object,
): Sketch =>
	node(
		name,
		base('httpRequest'),
		{
			...(method !== 'GET' && { method }),
			url: path.startsWith('=') ? `=${host}${path.slice(1)}` : `${host}${path}`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			...(jsonBody !== undefined && {
				sendBody: true,
				specifyBody: 'json',
				jsonBody: typeof jsonBody === 'string' ? jsonBody : JSON.stringify(jsonBody),
			}),
			options: {},
		},
		4.2,
		{ credentials: { httpHeaderAuth: { id: 'def', name: 'Header Auth account' } } },
	);

/** Edit Fields, with one expression per field and no other field. */
export const set = (name: string, fields: Record<string, string>): Sketch =>
	node(
		name,
		base('set'),
		{
			assignments: {
				assignments: Object.entries(fields).map(([field, value]) => ({
					id: field,
					name: field,
					type: 'string',
					value,
				})),
			},
			options: {},
		},
		3.4,
	);

export const wait = (name = 'Wait', amount = 0): Sketch =>
	node(name, base('wait'), { amount }, 1.1);

/** An IF node whose expression has to equal a value. */
export const isEqual = (name: string, leftValue: string, rightValue: string): Sketch =>
	node(
		name,
		base('if'),
		{
			conditions: {
				options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
				combinator: 'and',
				conditions: [
					{ id: '1', leftValue, rightValue, operator: { type: 'string', operation: 'equals' } },
				],
			},
			options: {},
		},
		2.2,
	);

export const splitOut = (name: string, fieldToSplitOut: string): Sketch =>
	node(name, base('splitOut'), { fieldToSplitOut, options: {} });

export const code = (name: string, jsCode: string): Sketch =>
	node(name, base('code'), { jsCode }, 2);

/** An HTTP Request node that downloads the screenshot of the page before it, under a name or n8n's default. */
export const download = (outputPropertyName?: string, more: JsonObject = {}): Sketch =>
	node(
		'Download',
		base('httpRequest'),
		{
			url: '={{ $json.data.screenshot }}',
			options: {
				response: {
					response: {
						responseFormat: 'file',
						...(outputPropertyName !== undefined && { outputPropertyName }),
					},
				},
			},
			...more,
		},
		4.2,
	);

export const other = node;

/** Connections as `A > B`, with the output's index behind a colon: `A:1 > B`. */
function connectionsOf(links: string[]): Connections {
	const connections: Connections = {};
	for (const link of links) {
		const [from, target] = link.split(' > ');
		const [source, output = '0'] = from.split(':');
		const outputs = ((connections[source] ??= {}).main ??= []);
		while (outputs.length <= Number(output)) outputs.push([]);
		outputs[Number(output)].push({ node: target, type: 'main', index: 0 });
	}
	return connections;
}

/** A workflow of a trigger and these nodes: each leads to the next, unless `links` say otherwise. */
export function workflowOf(sketches: Sketch[], links?: string[]): Workflow {
	const all = [trigger, ...sketches];
	const chain = sketches.map(({ name }, index) => `${all[index].name} > ${name}`);
	return {
		nodes: all.map((sketch, index) => ({
			...sketch,
			position: [index * 220, 0],
		})),
		connections: connectionsOf(links ?? chain),
		meta: { instanceId: 'sample' },
	};
}
