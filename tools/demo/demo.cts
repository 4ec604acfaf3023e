import {
	createEngine,
	type EngineRun,
	type Execution,
	type RunOptions,
} from '../../test/engine/harness.cjs';
import { keys } from '../../test/mock/teams.cjs';
import { startService, type Service } from '../../test/mock/service.cjs';
import { examples, itemsOf, loadWorkflow, requestOf, type Example } from './examples.cjs';
import type { Screen } from './screen.cjs';
import { tableOf } from './tables.cjs';

/** What somebody who presses Ctrl-C ends with. */
const interrupted = 130;

/** What scripts/start.mjs has read from the command line. */
export interface Choice {
	/** By its name in examples.json. */
	example: string;
	query?: string;
	/** Of a real service; the mock server is started when left out. */
	baseUrl?: string;
	apiKey?: string;
}

const countOf = (items: number) => `${items} item${items === 1 ? '' : 's'}`;

/** The result as a table, what happened, and what it cost. */
function showOutcome(
	screen: Screen,
	run: EngineRun,
	example: Example,
	isMockServer: boolean,
): void {
	const items = itemsOf(run, example);
	const { creditsUsed, jobId } = requestOf(run, example);
	screen.say();
	if (items.length === 0) screen.say('No results. Try other words: npm start -- --query "…"');
	else screen.say(tableOf(items, example.columns, screen.width - 3));
	screen.say();
	screen.say(screen.styled('bold', `${example.node} is done: ${countOf(items.length)}.`));
	if (creditsUsed !== undefined) {
		const whose = isMockServer ? ', all of the mock server: nothing was charged' : '';
		screen.say(`Credits used: ${creditsUsed}${whose}`);
	}
	if (jobId !== undefined) screen.say(`Job id: ${jobId}`);
	for (const { message } of run.hints(example.node))
		screen.say(screen.styled('yellow', `Warning: ${message}`));
}

/** The next things to try. */
function showNextSteps(screen: Screen, { example: shown, baseUrl }: Choice): void {
	const others = Object.keys(examples).filter((name) => name !== shown);
	const { file } = examples[shown];
	screen.say();
	screen.say(screen.styled('bold', 'Next:'));
	screen.say(`1. Another example: npm start -- --example ${others.join(' | ')}`);
	screen.say('2. In a real n8n on this machine, without a key: npm run dev');
	if (baseUrl === undefined)
		screen.say('3. A real key: npm start -- --base-url https://api.firecrawl.dev --api-key …');
	screen.say(
		`4. In your n8n: Settings → Community nodes → Install → n8n-nodes-web-data, then import examples/${file}`,
	);
}

/**
 * Waits for the end of an execution. Ctrl-C ends it: at once when only the mock server works, which ends with this
 * process. At a real service the execution is stopped, which cancels its job there; a second Ctrl-C does not wait.
 */
async function untilDone(
	screen: Screen,
	execution: Execution,
	service: Service | undefined,
): Promise<{ run: EngineRun; isStopped: boolean }> {
	let isStopped = false;
	const stop = (): void => {
		if (service || isStopped) process.exit(interrupted);
		isStopped = true;
		screen.say('Stopping: a job that runs at the service is cancelled. Ctrl-C again ends at once.');
		execution.cancel();
	};
	process.on('SIGINT', stop);
	const run = await execution.done.finally(() => process.off('SIGINT', stop));
	return { run, isStopped };
}

/** Runs an example of `npm start` and resolves with the exit code. */
export async function demo(screen: Screen, choice: Choice): Promise<number> {
	const { query } = choice;
	const example = examples[choice.example];
	const service = choice.baseUrl === undefined ? await startService() : undefined;
	const engine = await createEngine();
	const begun = performance.now();
	const waiting = setInterval(() => {
		const seconds = Math.round((performance.now() - begun) / 1000);
		screen.say(screen.styled('dim', `  … still working, ${seconds} s`));
	}, 5000);
	try {
		const baseUrl = choice.baseUrl ?? service?.url ?? '';
		const { name, version } = engine.loader.packageJson;
		if (service) screen.say(`The mock server listens on ${baseUrl}; nothing leaves this machine`);
		screen.say(`${name} ${version} is loaded by n8n's own loader`);
		screen.say(`examples/${example.file} ${example.about}`);
		const asked = query ?? (service && example.mockQuery);
		if (asked !== query)
			screen.say(`The mock server has a small web of its own, so it is asked for ${asked}`);

		const options: RunOptions = {
			workflow: loadWorkflow(example, asked),
			credentials: { webDataApi: { baseUrl, apiKey: choice.apiKey ?? (service ? keys.full : '') } },
			onNodeStart: (node) =>
				screen.say(`${screen.styled('cyan', '▸')} ${screen.styled('bold', node)}`),
			onNodeDone: (_node, { executionTime, data }) => {
				const items = countOf(data?.main?.[0]?.length ?? 0);
				screen.say(screen.styled('dim', `  ${items} in ${(executionTime / 1000).toFixed(1)} s`));
			},
		};
		const { run, isStopped } = await untilDone(screen, engine.start(options), service);
		if (isStopped) return interrupted;
		if (run.error) {
			screen.showError(run.error);
			return 1;
		}
		showOutcome(screen, run, example, service !== undefined);
		showNextSteps(screen, choice);
		return 0;
	} finally {
		clearInterval(waiting);
		engine.close();
		await service?.close();
	}
}
