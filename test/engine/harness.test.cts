import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { projectRoot } from '../root.cjs';
import { NODE_UNDER_TEST, createEngine, type Engine, type NodeRunOptions } from './harness.cjs';

/** The harness against a package of its own, so that a failure here is the harness's and not the nodes'. */
describe('the engine harness', () => {
	let engine: Engine;

	beforeAll(async () => {
		engine = await createEngine(join(projectRoot, 'test/engine/toy'));
	});

	afterAll(() => engine.close());

	const toy = (options: NodeRunOptions): NodeRunOptions => ({
		...options,
		node: { type: engine.typeName('toy') },
	});

	it('runs a node on every item, with expressions, pairing and hints', async () => {
		const run = await engine.runNode(
			toy({
				parameters: { action: 'echo', value: '={{ $json.name }}!' },
				input: [{ name: 'one' }, { name: 'two' }],
			}),
		);

		expect(run.status).toBe('success');
		expect(run.output()).toEqual([
			{ json: { value: 'one!' }, pairedItem: 0 },
			{ json: { value: 'two!' }, pairedItem: 1 },
		]);
		expect(run.hints()).toEqual([{ message: '2 items', location: 'outputPane' }]);
	});

	it('reports the error that ended the execution', async () => {
		const run = await engine.runNode(toy({ parameters: { action: 'fail' } }));

		expect(run.status).toBe('error');
		expect(run.error?.message).toBe('The toy broke');
		expect(() => run.output('Nowhere')).toThrow('The node "Nowhere" did not run');
	});

	it('sends failed items to the error output and the others to the first', async () => {
		const run = await engine.runNode(
			toy({
				parameters: { action: '={{ $json.action }}', value: 'kept' },
				input: [{ action: 'echo' }, { action: 'fail' }],
				onError: 'continueErrorOutput',
			}),
		);

		expect(run.status).toBe('success');
		expect(run.output()).toMatchObject([{ json: { value: 'kept' } }]);
		expect(run.output(undefined, 1)).toMatchObject([{ json: { error: 'The toy broke' } }]);
	});

	it('refuses a node that lacks a required parameter, as the editor does', () => {
		expect(() => engine.startNode(toy({ parameters: {} }))).toThrow(/issues/);
	});

	it('cancels an execution under way', async () => {
		const execution = engine.startNode(
			toy({
				parameters: { action: 'wait' },
				onNodeStart: (name) => {
					if (name === NODE_UNDER_TEST) setImmediate(() => execution.cancel());
				},
			}),
		);

		expect((await execution.done).status).toBe('canceled');
	});

	it('stores binary data where n8n does and reads it back', async () => {
		const run = await engine.runNode(toy({ parameters: { action: 'file', value: 'grüße' } }));
		const [item] = run.output();

		expect(item.binary?.data).toMatchObject({ fileName: 'note.txt', mimeType: 'text/plain' });
		expect((await engine.binary(item)).toString()).toBe('grüße');
	});

	it('runs a workflow file from its manual trigger and reports each node', async () => {
		const done: string[] = [];
		const base = { typeVersion: 1, parameters: {} };
		const run = await engine.run({
			workflow: {
				nodes: [
					{
						...base,
						id: '1',
						name: 'Start',
						type: 'n8n-nodes-base.manualTrigger',
						position: [0, 0],
					},
					{
						...base,
						id: '2',
						name: 'Echo',
						type: engine.typeName('toy'),
						position: [200, 0],
						parameters: { action: 'echo', value: 'from the file' },
					},
					{ ...base, id: '3', name: 'Note', type: 'n8n-nodes-base.stickyNote', position: [0, 200] },
				],
				connections: { Start: { main: [[{ node: 'Echo', type: 'main', index: 0 }]] } },
			},
			onNodeDone: (name) => done.push(name),
		});

		expect(run.output('Echo')).toMatchObject([{ json: { value: 'from the file' } }]);
		expect(done).toEqual(['Start', 'Echo']);
	});

	describe('with credentials', () => {
		let server: Server;
		let baseUrl: string;

		beforeAll(async () => {
			server = createServer((request, response) => {
				const { authorization } = request.headers;
				const status = { 'Bearer bad': 401, 'Bearer barred': 403 }[authorization ?? ''] ?? 200;
				response.writeHead(status, { 'Content-Type': 'application/json' });
				response.end(JSON.stringify({ authorization }));
			});
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			const { port } = server.address() as AddressInfo;
			baseUrl = `http://127.0.0.1:${port}`;
		});

		afterAll(() => server.close());

		it("signs requests with the credential type's own rule", async () => {
			const run = await engine.runNode(
				toy({
					parameters: { action: 'fetch' },
					credentials: { toyApi: { baseUrl, token: 'secret' } },
				}),
			);

			expect(run.output()).toMatchObject([{ json: { authorization: 'Bearer secret' } }]);
		});

		it('fills in the defaults of fields left out', async () => {
			const run = await engine.runNode(
				toy({ parameters: { action: 'fetch' }, credentials: { toyApi: { baseUrl } } }),
			);

			expect(run.output()).toMatchObject([{ json: { authorization: 'Bearer' } }]);
		});

		it.each([
			['good', { status: 'OK', message: 'Connection successful!' }],
			['bad', { status: 'Error', message: expect.stringContaining('failed') }],
			['barred', { status: 'Error', message: 'No right to that' }],
		])("sends the credential type's test request with a %s token", async (token, expected) => {
			expect(await engine.testCredential('toyApi', { baseUrl, token })).toEqual(expected);
		});

		it('has no credential when none is given', async () => {
			const run = await engine.runNode(toy({ parameters: { action: 'fetch' } }));

			expect(run.error?.message).toBe('Node does not require credentials');
		});
	});

	it('leaves nothing behind when it is closed', async () => {
		const folder = process.env.N8N_USER_FOLDER ?? '';
		expect(existsSync(folder)).toBe(true);
		engine.close();
		expect(existsSync(folder)).toBe(false);
		engine = await createEngine(join(projectRoot, 'test/engine/toy'));
	});
});
