import { styleText } from 'node:util';
import { z } from 'zod';
import { createEngine, type EngineRun, type RunOptions } from '../engine/harness.cjs';
import { keys } from '../mock-server/teams.cjs';
import { startService, type Service } from '../mock-server/service.cjs';
import { examples, itemsOf, loadWorkflow, requestOf, type Example } from './examples.cjs';
import { followJobs } from './followJobs.cjs';
import { noticeChange } from './noticeChange.cjs';

/** About how long the mock server takes for a page of a batch or a crawl, so that they can be seen to come. */
const pagePauseMs = 500;

/** What somebody who presses Ctrl-C ends with. */
const interrupted = 130;

/** What scripts/startArguments.mjs has read from the command line. */
const choiceSchema = z.object({
	example: z.string(),
	query: z.string().optional(),
	baseUrl: z.string().optional(),
	apiKey: z.string().optional(),
});

type Choice = z.output<typeof choiceSchema>;

/** The text in that style where the terminal has it. */
const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
	process.stdout.isTTY && process.stdout.hasColors() ? styleText(style, text) : text;

const say = (text = ''): void => console.log(text && text.replace(/^/gm, '   '));

/** The result as a table, what happened, and what it cost. */
function showOutcome(run: EngineRun, example: Example, isMockServer: boolean): void {
	const items = itemsOf(run, example);
	const { creditsUsed, jobId } = requestOf(run, example);
	say();
	if (items.length === 0) say('No results. Try other words: npm start -- --query "…"');
	else say(example.show(items, (process.stdout.columns ?? 120) - 3));
	say();
	const count = `${items.length} ${items.length === 1 ? 'item' : 'items'}`;
	say(styled('bold', `${example.node} is done: ${count}.`));
	if (creditsUsed !== undefined) {
		const whose = isMockServer ? ', all of the mock server: nothing was charged' : '';
		say(`Credits used: ${creditsUsed}${whose}`);
	}
	if (jobId !== undefined) say(`Job id: ${jobId}`);
	for (const { message } of run.hints(example.node)) say(styled('yellow', `Warning: ${message}`));
}

/** The next three things to try. */
function showNextSteps({ example: shown, baseUrl }: Choice): void {
	const others = Object.keys(examples).filter((name) => name !== shown);
	const { file, newLine } = examples[shown];
	const isOffered = baseUrl === undefined && newLine === undefined;
	say();
	say(styled('bold', 'Next:'));
	say(`1. Another example: npm start -- --example ${others.join(' | ')}`);
	say(
		isOffered
			? '2. A real key: npm start -- --base-url https://api.firecrawl.dev --api-key …'
			: '2. In a real n8n on this machine: npm run editor',
	);
	say(
		`3. In your n8n: Settings → Community nodes → Install → n8n-nodes-web-data, then import examples/${file}`,
	);
}

function showError({
	message,
	description,
}: {
	message: string;
	description?: string | null;
}): void {
	console.error(`\n${styled('red', `✖ ${message}`)}`);
	if (description && description !== message) console.error(`  ${description}`);
}

/**
 * Ends on Ctrl-C: at once when only the mock server works, which ends with this process. At a real service
 * the execution is stopped, which cancels its job there; a second Ctrl-C does not wait for that.
 */
function stopOnInterrupt(service: Service | undefined, cancel: () => void): () => boolean {
	let isStopped = false;
	process.on('SIGINT', () => {
		if (service || isStopped) process.exit(interrupted);
		isStopped = true;
		say('Stopping: a job that runs at the service is cancelled. Ctrl-C again ends at once.');
		cancel();
	});
	return () => isStopped;
}

/** Runs the example and resolves with the exit code. */
async function demo(choice: Choice): Promise<number> {
	const { query } = choice;
	const example = examples[choice.example];
	const startMockServer = async () => await startService({ pages: { pageMs: pagePauseMs } });
	const service = choice.baseUrl === undefined ? await startMockServer() : undefined;
	const engine = await createEngine();
	const begun = performance.now();
	const waiting = setInterval(() => {
		say(styled('dim', `  … still working, ${Math.round((performance.now() - begun) / 1000)} s`));
	}, 5000);
	try {
		const baseUrl = choice.baseUrl ?? service?.url ?? '';
		const { name, version } = engine.loader.packageJson;
		if (service) say(`The mock server listens on ${baseUrl}; nothing leaves this machine`);
		say(`${name} ${version} is loaded by n8n's own loader`);
		say(`examples/${example.file} ${example.about}`);
		const asked = query ?? (service && example.mockQuery);
		if (asked !== query)
			say(`The mock server has a small web of its own, so it is asked for ${asked}`);
		const tell = (line: unknown): void => say(`  · ${String(line)}`);

		const options: RunOptions = {
			workflow: loadWorkflow(example, asked),
			credentials: { webDataApi: { baseUrl, apiKey: choice.apiKey ?? (service ? keys.full : '') } },
			onMessage: tell,
			onNodeStart: (node) => say(`${styled('cyan', '▸')} ${styled('bold', node)}`),
			onNodeDone: (_node, { executionTime, data }) => {
				const count = data?.main?.[0]?.length ?? 0;
				const items = `${count} item${count === 1 ? '' : 's'}`;
				say(styled('dim', `  ${items} in ${(executionTime / 1000).toFixed(1)} s`));
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
		const isStopped = stopOnInterrupt(service, () => execution.cancel());
		const run = await execution.done;
		stopFollowing?.();
		if (isStopped()) return interrupted;
		if (run.error) {
			showError(run.error);
			return 1;
		}
		showOutcome(run, example, service !== undefined);
		showNextSteps(choice);
		return 0;
	} finally {
		clearInterval(waiting);
		engine.close();
		await service?.close();
	}
}

demo(choiceSchema.parse(JSON.parse(process.env.WEB_DATA_DEMO ?? '{}'))).then(
	(exitCode) => (process.exitCode = exitCode),
	(error: Error) => {
		showError(error);
		process.exitCode = 1;
	},
);
