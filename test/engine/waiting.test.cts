import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { projectRoot } from '../root.cjs';
import { NODE_UNDER_TEST, behindItems, createEngine, type Engine } from './harness.cjs';
import { WaitingExecutions } from './waiting.cjs';

/** Executions that wait, against the toy package: a failure here is the harness's and not the nodes'. */
describe('the harness of waiting executions', () => {
	let engine: Engine;
	let executions: WaitingExecutions;

	beforeAll(async () => {
		engine = await createEngine(join(projectRoot, 'test/engine/toy'));
		executions = new WaitingExecutions(engine, {});
		await executions.open();
	});

	afterAll(async () => {
		await executions.close();
		engine.close();
	});

	/** Three nodes: one that hands over an item, the toy that sleeps, and one behind it. */
	const start = (parameters: INodeParameters = { action: 'sleep' }) =>
		executions.start(
			behindItems(
				[{ from: 'the input' }],
				[
					{ name: NODE_UNDER_TEST, type: engine.typeName('toy'), parameters },
					{ name: 'After', type: 'n8n-nodes-base.noOp' },
				],
			),
		);

	const asleep = async (parameters?: INodeParameters) => {
		const { id, done } = start(parameters);
		const run = await done;
		return { id, run, url: String(run.output()[0].json.resumeUrl) };
	};

	const call = async (url: string, body: object = {}, method = 'POST') => {
		const response = await fetch(url, {
			method,
			...(method === 'POST' && { body: JSON.stringify(body) }),
			headers: { 'content-type': 'application/json' },
		});
		const text = await response.text();
		return { status: response.status, text };
	};

	it('stores what waits, and runs nothing behind it', async () => {
		const { id, run, url } = await asleep();

		expect(run.status).toBe('waiting');
		expect(executions.get(id)).toMatchObject({
			status: 'waiting',
			finished: false,
			waitTill: '2030-01-01T00:00:00.000Z',
		});
		expect(() => run.task('After')).toThrow('did not run');
		expect(url).toMatch(new RegExp(`^${executions.url}/${id}\\?signature=\\w{32}`));
	});

	it('goes on with what the webhook gives, on every output', async () => {
		const { id, url } = await asleep({ action: 'sleep', value: '={{ $json.from }}' });
		const ended = executions.ended(id);

		expect(await call(url, { wish: 'go' })).toMatchObject({
			status: 200,
			text: expect.stringContaining('Workflow was started'),
		});

		const run = await ended;
		expect(run.output()).toMatchObject([
			{ json: { wish: 'go', bytes: 13, kind: 'application/json', value: 'the input' } },
		]);
		expect(run.output(NODE_UNDER_TEST, 1)).toMatchObject([{ json: { output: 1 } }]);
		expect(run.output('After')).toMatchObject([{ json: { wish: 'go' } }]);
		expect(run.data.data.resultData.runData[NODE_UNDER_TEST]).toHaveLength(1);
		expect(executions.get(id)).toMatchObject({ status: 'success', finished: true });
	});

	it('waits on when the webhook refuses the call', async () => {
		const { id, url } = await asleep();

		expect(await call(url, { wish: 'sleep on' })).toEqual({ status: 401, text: '' });
		expect(executions.get(id).status).toBe('waiting');

		const ended = executions.ended(id);
		expect((await call(url, {})).status).toBe(200);
		expect((await ended).status).toBe('success');
	});

	it('refuses calls without the token, of unknown executions, with another path or method, and of ended ones', async () => {
		const { id, url } = await asleep();

		expect((await call(url.split('?')[0])).status).toBe(401);
		expect((await call(url.replace(/signature=./, 'signature=x'))).status).toBe(401);
		expect((await call(url.replace(id, 'unknown'))).status).toBe(404);
		expect((await call(url.replace('?', '/suffix?'))).status).toBe(404);
		expect((await call(url, {}, 'GET')).status).toBe(404);
		expect((await call(url.replace('webhook-waiting', 'elsewhere'))).status).toBe(404);
		expect(executions.get(id).status).toBe('waiting');

		const ended = executions.ended(id);
		await call(url);
		await ended;
		expect(await call(url)).toMatchObject({
			status: 409,
			text: expect.stringContaining('finished already'),
		});
	});

	it('refuses a call that comes before the wait is stored', async () => {
		const { id, done, cancel } = start({ action: 'wait' });

		expect(await call(`${executions.url}/${id}`)).toMatchObject({
			status: 409,
			text: expect.stringContaining('running already'),
		});
		cancel();
		await done;
	});

	it('goes on with an empty item and the error when the webhook throws, as n8n does', async () => {
		const { id, url } = await asleep();
		const ended = executions.ended(id);

		expect((await call(url, { wish: 'break' })).status).toBe(500);

		const run = await ended;
		expect(run.error?.message).toBe('The toy broke on waking');
		expect(run.output('After').map(({ json }) => json)).toEqual([{}]);
		expect(executions.get(id)).toMatchObject({ status: 'error' });
		expect((await call(url)).status).toBe(409);
	});

	it('passes the input on when the wait ends by time', async () => {
		const { id } = await asleep();

		const run = await executions.passDeadline(id);

		expect(run.status).toBe('success');
		expect(run.output().map(({ json }) => json)).toEqual([{ from: 'the input' }]);
		expect(run.output('After').map(({ json }) => json)).toEqual([{ from: 'the input' }]);
	});
});
