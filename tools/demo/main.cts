import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	getParentNodes,
	jsonParse,
	mapConnectionsByDestination,
	type INodeExecutionData,
} from 'n8n-workflow';
import { createEngine, type EngineRun, type WorkflowFile } from '../../test/engine/harness.cjs';
import { startService } from '../../test/mock/service.cjs';
import { demoKey } from '../../test/mock/teams.cjs';
import { projectRoot } from '../../test/root.cjs';
import listed from './examples.json';

/** A workflow that the demo can run: an entry of examples.json. */
interface Example {
	/** Below examples/. */
	file: string;
	about: string;
	/** The node of this package that brings the result: its credits and its warnings are shown. */
	node: string;
	/** The node whose items are shown, when it is a later one. What follows is not run: n8n's own nodes are few here. */
	outcome?: string;
	/** What `--query` replaces. */
	asks: { node: string; parameter: string };
	/** What is asked of the mock server, whose small web does not have what the file asks for. */
	inSmallWeb?: { node: string; parameter: string; value: string };
	/** What is shown of an item: paths in it. */
	shows: string[];
}

const examples: Record<string, Example> = listed;

/** What scripts/start.mjs has read from the command line. */
export interface Choice {
	/** By its name in examples.json. */
	example: string;
	query?: string;
	/** Of a real service; the mock server is started when left out. */
	baseUrl?: string;
	apiKey?: string;
}

/** What somebody who presses Ctrl-C ends with. */
const interrupted = 130;

/** The most that is shown of a text, in characters. */
const longest = 160;

/** The example's workflow up to its outcome, with other values of some parameters. */
function workflowOf(
	{ file, node, outcome = node }: Example,
	values: Array<{ node: string; parameter: string; value: string }>,
): WorkflowFile {
	const text = readFileSync(join(projectRoot, 'examples', file), 'utf8');
	const { nodes, connections, ...workflow } = jsonParse<WorkflowFile>(text);
	const before = getParentNodes(mapConnectionsByDestination(connections), outcome);
	const kept = structuredClone(nodes.filter(({ name }) => [outcome, ...before].includes(name)));
	for (const { node: name, parameter, value } of values) {
		for (const each of kept) if (each.name === name) each.parameters[parameter] = value;
	}
	const isKept = ({ node: name }: { node: string }) => kept.some((each) => each.name === name);
	const links = before.map((name) => {
		const { main = [] } = connections[name] ?? {};
		return [name, { main: main.map((targets) => targets?.filter(isKept) ?? null) }];
	});
	return { ...workflow, nodes: kept, connections: Object.fromEntries(links) };
}

const countOf = (items: number) => `${items} item${items === 1 ? '' : 's'}`;

/** The first words of a text, without Markdown's notation. */
function firstWords(text: string): string {
	const plain = text
		.replace(/[#*_`|>]+/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}

/** What is shown of an item, a line for each thing. */
function linesOf({ json, binary }: INodeExecutionData, shows: string[]): string[] {
	const at = (path: string): unknown =>
		path.split('.').reduce((value: unknown, key) => Object(value)[key], { ...json, binary });
	return shows
		.map(at)
		.filter((value) => value !== undefined && value !== null)
		.map((value) =>
			/^https?:\S+$/.test(String(value)) ? String(value) : firstWords(String(value)),
		);
}

/** Shows the result, what it cost, and the warnings. */
function showOutcome(
	run: EngineRun,
	{ node, outcome = node, shows }: Example,
	say: (line: string) => void,
): void {
	const items = run.output(outcome);
	if (items.length === 0) say('\nNo results. Try other words: npm start -- --query "…"');
	for (const [index, item] of items.entries()) {
		const [first, ...others] = linesOf(item, shows);
		say(`\n${index + 1}. ${first}`);
		for (const line of others) say(`   ${line}`);
	}
	const credits = run.output(node).map(({ json }) => Number(json.creditsUsed ?? 0));
	say(`\n${node} is done: ${countOf(items.length)}.`);
	say(`Credits used: ${credits.reduce((sum, each) => sum + each, 0)}`);
	for (const { message } of run.hints(node)) say(`Warning: ${message}`);
}

/** Runs an example, which Ctrl-C stops; resolves with the exit code. @throws the error of a node */
export async function demo(choice: Choice, say: (line: string) => void): Promise<number> {
	const { query, baseUrl, apiKey } = choice;
	const example = examples[choice.example];
	const service = baseUrl === undefined ? await startService() : undefined;
	const engine = await createEngine();
	try {
		say(service ? `A mock server is asked, for nothing: ${service.url}` : `${baseUrl} is asked`);
		say(`examples/${example.file} ${example.about}`);
		const execution = engine.start({
			workflow: workflowOf(example, [
				...(service && example.inSmallWeb ? [example.inSmallWeb] : []),
				...(query === undefined ? [] : [{ ...example.asks, value: query }]),
			]),
			credentials: {
				webDataApi: {
					baseUrl: baseUrl ?? service?.url ?? '',
					apiKey: apiKey ?? (service ? demoKey : ''),
				},
			},
			onNodeStart: (node) => say(`▸ ${node}`),
			onNodeDone: (_node, { executionTime, data }) => {
				const items = countOf(data?.main?.[0]?.length ?? 0);
				say(`  ${items} in ${(executionTime / 1000).toFixed(1)} s`);
			},
		});
		const stop = (): void => execution.cancel();
		process.once('SIGINT', stop);
		const run = await execution.done.finally(() => process.off('SIGINT', stop));
		if (run.status === 'canceled') return interrupted;
		if (run.error) throw run.error;
		showOutcome(run, example, say);
		const others = Object.keys(examples).filter((name) => name !== choice.example);
		say(`\nNext:
1. Another example: npm start -- --example ${others.join(' | ')}
2. In a real n8n on this machine, without a key: npm run dev
3. A real key: npm start -- --base-url https://api.firecrawl.dev --api-key …`);
		return 0;
	} finally {
		engine.close();
		await service?.close();
	}
}

/** Shows lines, indented as the steps of `npm start` are. */
const show = (lines: string) => console.log(lines.replace(/^(?=.)/gm, '   '));

if (require.main === module) {
	const choice = jsonParse<Choice>(process.env.WEB_DATA_DEMO ?? '');
	demo(choice, show).then(
		(exitCode) => (process.exitCode = exitCode),
		({ message, description }: { message: string; description?: string }) => {
			console.error(`\n✖ ${message}\n  ${description ?? ''}`);
			process.exitCode = 1;
		},
	);
}
