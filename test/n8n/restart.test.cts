import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jsonParse, type INodeParameters } from 'n8n-workflow';
import { installPackage, npm } from './communityPackage.cjs';
import type { WorkflowFile } from './editorApi.cjs';
import { manualTrigger, nodeUnderTest, single, useN8n } from './n8n.cjs';
import { pageWatch, watch } from './pageWatch.cjs';
import { surroundings } from './surroundings.cjs';
import { until } from './until.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';

describe('what outlives the process of n8n', () => {
	const real = useN8n('restart');

	it('a suspended agent run goes on in the n8n that is started after a SIGKILL', async () => {
		const { api, service, server } = real.n8n;
		const { webhooks, agents } = service.context;
		const account = await real.n8n.account({ webhookSecret: 'whsec-of-the-team' });
		service.clock.hold();
		const asleep = await real.n8n.run(
			single('Sleeping agent', {
				resource: 'agent',
				operation: 'run',
				prompt: 'Who writes about tides?',
				wait: 'suspend',
			}),
			account,
		);
		expect(asleep.status).toBe('waiting');
		const [job] = agents.jobs;
		const address = job.about.webhook?.url ?? '';
		expect(address.startsWith(`${server.url}/webhook-waiting/${asleep.id}`)).toBe(true);

		await server.kill();
		await service.clock.advance(3000);
		await webhooks.idle();
		await server.start();
		expect((await api.execution(asleep.id)).status).toBe('waiting');
		const unsigned = await fetch(address, { method: 'POST' });
		expect(unsigned.status).toBe(401);
		expect((await api.execution(asleep.id)).status).toBe('waiting');

		await service.clock.advance(60_000);
		await webhooks.idle();
		service.clock.release();
		const [delivery] = webhooks.deliveries;
		expect(delivery.attempts.map(({ status }) => status)).toEqual([undefined, 200]);
		const awake = (await api.resumed(asleep.id)).succeeded();
		expect(awake.output(nodeUnderTest).map(({ json }) => json.jobId)).toContain(job.id);
		expect(service.log.of('POST', '/v2/agent')).toHaveLength(1);
	});

	it('jobs that n8n polled when it was killed are gone on with, and cost nothing again', async () => {
		const { api, server, service } = real.n8n;
		const { ledger } = service.context;
		const account = await real.n8n.account();
		const batch = { resource: 'batch', operation: 'run', urls: `${tides}?lost` };
		const agent = { resource: 'agent', operation: 'run', prompt: 'Who lost the tides?' };
		const reusing = (parameters: INodeParameters, reuseJob: string) =>
			single(`Reusing ${String(parameters.resource)} (${reuseJob})`, {
				...parameters,
				retries: { reuseJob },
			});
		const publish = async (workflow: WorkflowFile) =>
			await api.createWorkflow(workflow, account.credential);
		const begin = async (workflow: WorkflowFile) =>
			await api.run(await publish(workflow), manualTrigger);
		const before = service.log.entries.length;
		const sent = (method: string, path: string) =>
			service.log.entries
				.slice(before)
				.filter((entry) => entry.method === method && entry.path.startsWith(path));
		/** Waits until each job is polled anew. */
		const polled = async (what: string) => {
			const seen = service.log.entries.length;
			await until(`polls ${what}`, () => {
				const paths = service.log.entries.slice(seen).map(({ path }) => path);
				const isBoth =
					paths.some((path) => path.startsWith('/v2/batch/scrape/')) &&
					paths.some((path) => path.startsWith('/v2/agent/'));
				return isBoth || undefined;
			});
		};

		service.clock.hold();
		await begin(reusing(batch, 'error'));
		const researching = await publish(reusing(agent, 'error'));
		const lost = await api.run(researching, manualTrigger);
		await polled('before the kill');
		await server.kill();
		await server.start();

		// The lists tell a run for certain, and a batch by its first address only.
		const unsure = await api.ended(await begin(reusing(batch, 'error')));
		// n8n keeps nothing of a crashed execution that its button could begin with.
		await expect(api.retry(lost)).rejects.toThrow('cannot be retried');
		const again = [await begin(reusing(batch, 'reuse')), await api.run(researching, manualTrigger)];
		await polled('after the restart');
		await service.clock.advance(120_000);
		service.clock.release();
		const [pages, answer] = await Promise.all(
			again.map(async (id) => (await api.ended(id)).succeeded().output(nodeUnderTest)),
		);

		expect(sent('POST', '/v2/batch/scrape')).toHaveLength(1);
		expect(sent('POST', '/v2/agent')).toHaveLength(1);
		const jobs = service.context.activity.entries.filter(
			({ teamId }) => teamId === account.team.id,
		);
		const idOf = (endpoint: string) => jobs.find((job) => job.endpoint === endpoint)?.id;
		expect(unsure.error?.message).toContain(idOf('batch_scrape'));
		expect(pages.map(({ json }) => json.jobId)).toEqual([idOf('batch_scrape')]);
		expect(answer.map(({ json }) => json.jobId)).toEqual([idOf('agent')]);
		for (const { json } of [...pages, ...answer]) {
			expect(json.request).toMatchObject({ reused: true });
		}
		const charged = ledger.entries.filter(
			({ teamId, credits }) => teamId === account.team.id && credits > 0,
		);
		expect(charged.filter(({ jobId }) => jobId === idOf('batch_scrape'))).toHaveLength(1);
		expect(charged.filter(({ jobId }) => jobId === idOf('agent')).length).toBeLessThanOrEqual(1);
	});

	it('an upgraded pack recognises saved workflows, and its active triggers go on', async () => {
		const { api, server, service } = real.n8n;
		const { monitors } = service.context;
		const { team, credential } = await real.n8n.account({ webhookSecret: 'whsec-of-the-team' });
		const workflow = single('Saved before', { resource: 'page', operation: 'scrape', url: tides });
		const id = await api.createWorkflow(workflow, credential);
		const watching = await api.createWorkflow(pageWatch(tides), credential);
		await api.activate(watching);
		const monitor = await until('the monitor', () => monitors.of(team.id)[0]);
		await monitors.toNextCheck();
		await api.executionsOf(watching, 1);
		const before = (await api.nodeTypes()).map(({ name, version }) => [name, version]);

		await server.stop();
		const version = await installUpgrade();
		await server.start();

		const installed = join(server.packages, 'node_modules/n8n-nodes-web-data/package.json');
		expect(jsonParse<{ version: string }>(readFileSync(installed, 'utf8')).version).toBe(version);
		expect((await api.nodeTypes()).map(({ name, version: each }) => [name, each])).toEqual(before);
		const execution = await api.ended(await api.run(id, workflow.nodes[0].name));
		expect(execution.succeeded().output(nodeUnderTest)).toHaveLength(1);

		expect(await api.isActive(watching)).toBe(true);
		expect(monitors.of(team.id)).toEqual([monitor]);
		service.site.update(tides, { markdown: '# Spring tides\n\nAll is different now.' });
		await monitors.toNextCheck();
		const [, fired] = await api.executionsOf(watching, 2);
		expect(fired.succeeded().output(watch)[0].json).toMatchObject({
			url: tides,
			status: 'changed',
		});
		await api.deactivate(watching);
		await until('the monitor to go', () => monitors.of(team.id).length === 0 || undefined);
	});

	/** Puts the pack's next version into n8n: this one with a higher number. Resolves with that number. */
	async function installUpgrade(): Promise<string> {
		const { tarball, work } = surroundings();
		const folder = await mkdtemp(join(work, 'upgrade-'));
		await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder]);
		const manifest = join(folder, 'package', 'package.json');
		const described = jsonParse<{ version: string }>(readFileSync(manifest, 'utf8'));
		const version = described.version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
		writeFileSync(manifest, JSON.stringify({ ...described, version }));
		await npm(['pack', '--ignore-scripts', '--pack-destination', folder], join(folder, 'package'));
		const [packed] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
		await installPackage(real.n8n.server, join(folder, packed));
		return version;
	}
});
