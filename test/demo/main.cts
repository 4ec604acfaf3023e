import { parseArgs } from 'node:util';
import { createEngine, type EngineRun, type RunOptions } from '../engine/harness.cjs';
import { keys } from '../service/teams.cjs';
import { startService } from '../service/service.cjs';
import { examples, itemsOf, loadWorkflow, requestOf, type Example } from './examples.cjs';
import { followJobs } from './followJobs.cjs';
import { noticeChange } from './noticeChange.cjs';

const HELP = `Runs an example workflow in n8n's own engine, against a stand-in service on this machine.

  npm start                                   the stand-in service and its own small web
  npm start -- --query "…"                    another query, prompt or address
  npm start -- --base-url … --api-key …       a real service, hosted or your own
  npm start -- --example NAME                 another example:
${Object.entries(examples)
	.map(([name, { about }]) => `      ${name.padEnd(18)} ${about}`)
	.join('\n')}`;

/** About how long the stand-in takes for a page of a batch or a crawl, so that they can be seen to come. */
const pagePauseMs = 500;

/** A mistake on the command line. */
class UsageError extends Error {}

interface Choice {
	example: Example;
	query?: string;
	baseUrl?: string;
	apiKey?: string;
}

function readArguments(args: string[]): Choice | 'help' {
	const options = {
		query: { type: 'string' },
		'base-url': { type: 'string' },
		'api-key': { type: 'string' },
		example: { type: 'string', default: 'search-and-read' },
		help: { type: 'boolean', default: false },
	} as const;
	const parsed = () => {
		try {
			return parseArgs({ args, options }).values;
		} catch (error) {
			throw new UsageError(error instanceof Error ? error.message : String(error));
		}
	};
	const values = parsed();
	if (values.help) return 'help';
	const example = Object.hasOwn(examples, values.example) && examples[values.example];
	if (!example) {
		throw new UsageError(
			`There is no example "${values.example}"; there are: ${Object.keys(examples).join(', ')}`,
		);
	}
	if (values['api-key'] !== undefined && values['base-url'] === undefined) {
		throw new UsageError('--api-key needs --base-url: the stand-in service has keys of its own');
	}
	if (example.newLine !== undefined && values['base-url'] !== undefined) {
		throw new UsageError(
			`This example changes a page and moves the clock, which only the stand-in service can do: leave --base-url out`,
		);
	}
	return {
		example,
		query: values.query,
		baseUrl: values['base-url'],
		apiKey: values['api-key'],
	};
}

const say = (text = ''): void => console.log(text && text.replace(/^/gm, '   '));

function showOutcome(run: EngineRun, example: Example): void {
	const items = itemsOf(run, example);
	const { creditsUsed, id, jobId } = requestOf(run, example);
	say();
	if (items.length === 0) say('No results. Try other words: npm start -- --query "…"');
	else say(example.show(items, (process.stdout.columns ?? 120) - 3));
	say();
	if (creditsUsed !== undefined) say(`Credits used: ${creditsUsed}`);
	if (id !== undefined) say(`Request id:   ${id}`);
	if (jobId !== undefined) say(`Job id:       ${jobId}`);
	for (const { message } of run.hints(example.node)) say(`Warning: ${message}`);
}

function showNextSteps({ example, baseUrl }: Choice): void {
	const others = Object.keys(examples).filter((name) => examples[name] !== example);
	say();
	say('Next:');
	say('· In n8n: Settings → Community nodes → Install → n8n-nodes-web-data');
	say(`· Import examples/${example.file} there (⋯ → Import from file) and choose a credential`);
	if (baseUrl === undefined && example.newLine === undefined) {
		say('· With a real key: npm start -- --base-url https://api.firecrawl.dev --api-key …');
	}
	if (others.length > 0) say(`· Other examples: npm start -- --example ${others.join(' | ')}`);
}

function showError({
	message,
	description,
}: {
	message: string;
	description?: string | null;
}): void {
	console.error(`\n✖ ${message}`);
	if (description && description !== message) console.error(`  ${description}`);
}

/** Runs the example and resolves with the exit code. */
async function demo(choice: Choice): Promise<number> {
	const { example, query } = choice;
	const standIn = async () => await startService({ pages: { pageMs: pagePauseMs } });
	const service = choice.baseUrl === undefined ? await standIn() : undefined;
	const engine = await createEngine();
	const begun = performance.now();
	const waiting = setInterval(() => {
		say(`  … still working, ${Math.round((performance.now() - begun) / 1000)} s`);
	}, 5000);
	try {
		const baseUrl = choice.baseUrl ?? service?.url ?? '';
		const { name, version } = engine.loader.packageJson;
		if (service) say(`The stand-in service listens on ${baseUrl}; nothing leaves this machine`);
		say(`${name} ${version} is loaded by n8n's own loader`);
		say(`examples/${example.file} ${example.about}`);
		const asked = query ?? (service && example.standInQuery);
		if (asked !== query)
			say(`The stand-in has a small web of its own, so it is asked for ${asked}`);
		const tell = (line: unknown): void => say(`  · ${String(line)}`);

		const options: RunOptions = {
			workflow: loadWorkflow(example, asked),
			credentials: { webDataApi: { baseUrl, apiKey: choice.apiKey ?? (service ? keys.full : '') } },
			onMessage: tell,
			onNodeStart: (node) => say(`▸ ${node}`),
			onNodeDone: (_node, { executionTime, data }) => {
				const count = data?.main?.[0]?.length ?? 0;
				say(`  ${count} item${count === 1 ? '' : 's'} in ${(executionTime / 1000).toFixed(1)} s`);
			},
		};
		const { node, newLine } = example;
		const execution =
			service && asked !== undefined && newLine !== undefined
				? await noticeChange({
						engine,
						service,
						run: options,
						node,
						url: asked,
						line: newLine,
						tell,
					})
				: engine.start(options);
		const stopFollowing = service && followJobs(service, tell);
		process.once('SIGINT', () => execution.cancel());
		const run = await execution.done;
		stopFollowing?.();
		if (run.error) {
			showError(run.error);
			return 1;
		}
		showOutcome(run, example);
		showNextSteps(choice);
		return 0;
	} finally {
		clearInterval(waiting);
		engine.close();
		await service?.close();
	}
}

async function main(): Promise<number> {
	const choice = readArguments(process.argv.slice(2));
	if (choice === 'help') {
		console.log(HELP);
		return 0;
	}
	return await demo(choice);
}

main().then(
	(exitCode) => (process.exitCode = exitCode),
	(error: Error) => {
		showError(error);
		if (error instanceof UsageError) console.error('  npm start -- --help shows what can be said');
		process.exitCode = error instanceof UsageError ? 2 : 1;
	},
);
