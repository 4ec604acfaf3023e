import { z } from 'zod/v4';
import { convert } from '../../../tools/convert/convert.cjs';
import {
	listOf,
	objectOf,
	textOf,
	type Json,
	type JsonObject,
} from '../../../tools/convert/json.cjs';
import type { Connections, Workflow, WorkflowNode } from '../../../tools/convert/workflow.cjs';

/** A node of a sample: its name, its type (of n8n, a short one, or a request such as `POST /v2/scrape`), what it does, and further settings. */
export type Sketch = [name: string, type: string, given?: Json, more?: JsonObject];

/** A sketch in a file. */
export const sketch = z.union([
	z.tuple([z.string(), z.string()]),
	z.tuple([z.string(), z.string(), z.json()]),
	z.tuple([z.string(), z.string(), z.json(), z.record(z.string(), z.json())]),
]);

/** The service, as HTTP Request nodes name it. */
export const host = 'https://api.firecrawl.dev';

/** Edit Fields, with one expression per field and no other field. */
const assignments = (fields: Json): JsonObject => ({
	assignments: {
		assignments: Object.entries(objectOf(fields)).map(([name, value]) => ({
			...{ id: name, name, type: 'string', value },
		})),
	},
	options: {},
});

/** A condition of an expression that has to equal a value. */
function equality(sides: Json): JsonObject {
	const [leftValue, rightValue] = listOf(sides);
	const operator = { type: 'string', operation: 'equals' };
	return {
		conditions: {
			options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
			combinator: 'and',
			conditions: [{ id: '1', leftValue, rightValue, operator }],
		},
		options: {},
	};
}

const credentials = { firecrawlApi: { id: 'abc', name: 'Firecrawl account' } };
const official = { credentials, typeVersion: 1 };

/** The short types: their names in n8n, further settings, and what they store. */
const shortTypes: Record<string, [string, JsonObject, (given: Json) => JsonObject]> = {
	firecrawl: ['@mendable/n8n-nodes-firecrawl.firecrawl', official, objectOf],
	firecrawlTool: ['@mendable/n8n-nodes-firecrawl.firecrawlTool', official, objectOf],
	set: ['n8n-nodes-base.set', { typeVersion: 3.4 }, assignments],
	wait: ['n8n-nodes-base.wait', { typeVersion: 1.1 }, (amount) => ({ amount })],
	if: ['n8n-nodes-base.if', { typeVersion: 2.2 }, equality],
	splitOut: [
		'n8n-nodes-base.splitOut',
		{ typeVersion: 1 },
		(fieldToSplitOut) => ({ fieldToSplitOut, options: {} }),
	],
	code: ['n8n-nodes-base.code', { typeVersion: 2 }, (jsCode) => ({ jsCode })],
};

/** An HTTP Request node as versions from 4 on store it. */
const request = (method: string, path: string, body: Json | undefined): JsonObject => ({
	...(method !== 'GET' && { method }),
	url: path.startsWith('=') ? `=${host}${path.slice(1)}` : `${host}${path}`,
	authentication: 'genericCredentialType',
	genericAuthType: 'httpHeaderAuth',
	...(body !== undefined &&
		body !== null && {
			sendBody: true,
			specifyBody: 'json',
			jsonBody: typeof body === 'string' ? body : JSON.stringify(body),
		}),
	options: {},
});

const requestSettings = {
	typeVersion: 4.2,
	credentials: { httpHeaderAuth: { id: 'def', name: 'Header Auth account' } },
};

function nodeOf([name, type, given, more]: Sketch, index: number): WorkflowNode {
	const position: [number, number] = [index * 220, 0];
	const own = { id: `id of ${name}`, name, position };
	const [, method, path] = /^([A-Z]+) (.*)$/s.exec(type) ?? [];
	if (path !== undefined) {
		const parameters = request(method, path, given);
		return { ...own, type: 'n8n-nodes-base.httpRequest', parameters, ...requestSettings, ...more };
	}
	const known = Object.hasOwn(shortTypes, type) ? shortTypes[type] : undefined;
	const [fullType, settings, parametersOf] = known ?? [type, { typeVersion: 1 }, objectOf];
	return { ...own, type: fullType, ...settings, parameters: parametersOf(given ?? {}), ...more };
}

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
	const all: Sketch[] = [['Start', 'n8n-nodes-base.manualTrigger'], ...sketches];
	const chain = sketches.map(([name], index) => `${all[index][0]} > ${name}`);
	return {
		nodes: all.map(nodeOf),
		connections: connectionsOf(links ?? chain),
		meta: { instanceId: 'sample' },
	};
}

/** What becomes of a workflow, and of its nodes by their names. */
export function converted(sketches: Sketch[], links?: string[], more: JsonObject = {}) {
	const { workflow, report } = convert({ ...workflowOf(sketches, links), ...more });
	const parametersOf = (name: string): JsonObject =>
		workflow.nodes.find((node) => node.name === name)?.parameters ?? {};
	return {
		workflow,
		report,
		parametersOf,
		/** The setting *Output* of a node. */
		outputOf: (name: string) => objectOf(parametersOf(name).options).output,
		/** The expression of the only field that the node "Result" sets. */
		result(): string {
			const [only] = listOf(objectOf(parametersOf('Result').assignments).assignments);
			return textOf(objectOf(only).value);
		},
	};
}
