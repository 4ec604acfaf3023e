import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Service } from '../mock/service.cjs';
import { startService } from '../mock/service.cjs';
import type { Team } from '../mock/teams.cjs';
import { installPackage } from './communityPackage.cjs';
import { EditorApi, type StoredExecution, type WorkflowFile } from './editorApi.cjs';
import { N8nServer } from './n8nServer.cjs';
import { surroundings } from './surroundings.cjs';

/** The name of the trigger of `chain`. */
export const manualTrigger = 'When clicking ‘Execute workflow’';

/** A trigger that a person starts. */
export const manual: INode = {
	id: 'trigger',
	name: manualTrigger,
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** The name of the node of `single`. */
export const nodeUnderTest = 'Web Data';

type NodeOfChain = Pick<INode, 'name' | 'parameters'> & Partial<INode>;

/** A workflow of nodes one behind the other; nodes whose type is not said are this package's action node. */
export function chain(name: string, nodes: NodeOfChain[]): WorkflowFile {
	const all = nodes.map(
		(node, place): INode => ({
			id: randomUUID(),
			type: 'n8n-nodes-web-data.webData',
			typeVersion: 1,
			position: [240 * (place + 1), 0],
			...node,
		}),
	);
	const links = all
		.slice(1)
		.map((node, place) => [
			all[place].name,
			{ main: [[{ node: node.name, type: 'main' as const, index: 0 }]] },
		]);
	return { name, nodes: all, connections: Object.fromEntries(links) };
}

/** A workflow that a person starts, with one node of this package. */
export const single = (name: string, parameters: INodeParameters, more: Partial<INode> = {}) =>
	chain(name, [manual, { name: nodeUnderTest, parameters, ...more }]);

/** A team of the mock server, and the credential by which nodes call it. */
export interface Account {
	/** The key of the team. */
	key: string;
	team: Team;
	credential: { id: string; name: string };
}

/** The real n8n with the pack installed, the mock server beside it, and what the editor knows. */
export class RealN8n {
	private constructor(
		readonly server: N8nServer,
		readonly service: Service,
		readonly api: EditorApi,
	) {}

	/** Starts both, and makes n8n's owner. `name` is that of n8n's log; `settings` are beside n8n's usual ones. */
	static async open(name: string, settings?: NodeJS.ProcessEnv): Promise<RealN8n> {
		const server = await N8nServer.create(name, settings);
		await installPackage(server, surroundings().tarball);
		const [started] = await Promise.all([startService(), server.start()]);
		const api = new EditorApi(server.url);
		await api.setUp();
		return new RealN8n(server, started, api);
	}

	async close(): Promise<void> {
		await Promise.all([this.server.remove(), this.service.close()]);
	}

	/** A team of its own, and the credential that a user would make of its key. */
	async account(change: Partial<Team> = {}): Promise<Account> {
		const id = randomUUID();
		const apiKey = `fc-${id.replaceAll('-', '')}`;
		const team = this.service.teams.add({ ...change, id }, apiKey);
		const { webhookSecret = '' } = team;
		const data = { baseUrl: this.service.url, apiKey, webhookSecret };
		const credential = await this.api.createCredential(`Account ${id.slice(0, 8)}`, data);
		return { team, credential, key: apiKey };
	}

	/** Runs a workflow that a person starts to its end, or to its wait. */
	async run(workflow: WorkflowFile, { credential }: Account): Promise<StoredExecution> {
		const id = await this.api.createWorkflow(workflow, credential);
		return await this.api.ended(await this.api.run(id, manualTrigger));
	}
}

/** An n8n for the tests of a file. */
export function useN8n(name: string): { readonly n8n: RealN8n } {
	let opened: RealN8n | undefined;
	beforeAll(async () => {
		opened = await RealN8n.open(name);
	});
	afterAll(async () => await opened?.close());
	return {
		get n8n() {
			if (!opened) throw new Error('n8n was not opened');
			return opened;
		},
	};
}
