import type { Engine, Execution, RunOptions } from '../../test/engine/harness.cjs';
import { WebhookTrigger } from '../../test/engine/webhookTrigger.cjs';
import type { Service } from '../../test/mock/service.cjs';
import { keys } from '../../test/mock/teams.cjs';

const secret = 'whsec-of-the-demo';

/**
 * Activates a workflow, adds a line to the page that it watches, and deactivates it after the check that finds the
 * change. Nobody waits for a schedule: the mock server's clock is moved to the next check. Resolves with the execution
 * that the event at the trigger `node` has started.
 */
export async function noticeChange(
	engine: Engine,
	service: Service,
	run: RunOptions,
	{ node, url, line }: { node: string; url: string; line: string },
	tell: (line: string) => void,
): Promise<Execution> {
	const { clock, context, site } = service;
	const { monitors } = context;
	service.teams.of(keys.full).webhookSecret = secret;
	const { webDataApi } = run.credentials ?? {};
	const executions: Execution[] = [];
	const trigger = new WebhookTrigger(engine, {
		workflow: run.workflow,
		node,
		credentials: { webDataApi: { ...webDataApi, webhookSecret: secret } },
		onStart: (items) => {
			for (const { json } of items) tell(`Event: ${String(json.status)} ${String(json.url)}`);
			executions.push(engine.start({ ...run, mode: 'webhook', startWith: { node, items } }));
		},
	});
	const check = async (): Promise<void> => {
		await monitors.toNextCheck();
		await trigger.idle();
		const [{ checks }] = monitors.all;
		const found = checks.at(-1)?.pages.map(({ status }) => status) ?? [];
		tell(`Check of ${new Date(clock.now()).toISOString().slice(0, 16)}: ${found.join(', ')}`);
	};
	await trigger.open();
	try {
		await trigger.activate();
		for (const { settings } of monitors.all) {
			tell(`The workflow is active: the service has the monitor "${settings.name}"`);
		}
		await check();
		site.update(url, { markdown: `${site.find(url)?.markdown}\n\n${line}` });
		tell(`The page changes: ${line}`);
		await check();
		await trigger.deactivate();
		tell(`The workflow is inactive: the service has ${monitors.all.length} monitors`);
	} finally {
		await trigger.close();
	}
	const [execution] = executions;
	if (!execution)
		throw new Error(`No change of ${url} was noticed: is it a page of the mock server?`);
	return execution;
}
