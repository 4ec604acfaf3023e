import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from './freePort.cjs';
import { nearThree } from './nearThree.cjs';
import { logOf, ProcessGroup } from './processGroup.cjs';
import { surroundings } from './surroundings.cjs';

const off = [
	'N8N_DIAGNOSTICS_ENABLED',
	'N8N_DYNAMIC_BANNERS_ENABLED',
	'N8N_HIRING_BANNER_ENABLED',
	'N8N_LICENSE_AUTO_RENEW_ENABLED',
	'N8N_PERSONALIZATION_ENABLED',
	'N8N_SECURE_COOKIE',
	'N8N_TEMPLATES_ENABLED',
	'N8N_VERIFIED_PACKAGES_ENABLED',
	'N8N_VERSION_NOTIFICATIONS_ENABLED',
	'N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED',
];

/** Parts of n8n that no test needs; an n8n that does not know one does not start with it. */
const unneeded = ['mcp-registry', 'instance-ai', 'agents', 'mcp', 'chat-hub', 'insights'];

/** Those that this n8n has. */
const disabledModules = (n8n: string): string =>
	unneeded.filter((name) => existsSync(join(n8n, 'node_modules/n8n/dist/modules', name))).join(',');

/** The real n8n as a process of its own, with its data in a folder that outlives it. */
export class N8nServer {
	private running?: ProcessGroup;

	private constructor(
		private readonly name: string,
		/** n8n's user folder. */
		readonly folder: string,
		readonly port: number,
		private readonly command: string[],
		private readonly environment: NodeJS.ProcessEnv,
	) {}

	/** An n8n that has not been started yet, with settings beside the usual ones. `name` is that of its log. */
	static async create(name: string, settings: NodeJS.ProcessEnv = {}): Promise<N8nServer> {
		const { n8n, node, work, isNearThree } = surroundings();
		const [port, broker] = [await freePort(), await freePort()];
		const folder = join(work, `${name}-${randomUUID().slice(0, 8)}`);
		mkdirSync(folder);
		return new N8nServer(name, folder, port, ['start'], {
			// Settings of the machine's own n8n and proxies do not belong here.
			PATH: [dirname(node), process.env.PATH].join(delimiter),
			HOME: folder,
			TMPDIR: work,
			NODE_ENV: 'production',
			TZ: 'UTC',
			GENERIC_TIMEZONE: 'UTC',
			N8N_USER_FOLDER: folder,
			N8N_ENCRYPTION_KEY: 'key-of-these-tests',
			N8N_HOST: '127.0.0.1',
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(broker),
			N8N_DISABLED_MODULES: disabledModules(n8n),
			EXTERNAL_FRONTEND_HOOKS_URLS: '',
			...Object.fromEntries(off.map((setting) => [setting, 'false'])),
			...(isNearThree && nearThree),
			...settings,
		});
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Where n8n looks for community packages. */
	get packages(): string {
		return join(this.folder, '.n8n', 'nodes');
	}

	/** A worker of n8n's queue with this one's data and settings, not started yet. `name` is that of its log. */
	async worker(name: string, concurrency: number): Promise<N8nServer> {
		const [port, broker] = [await freePort(), await freePort()];
		const command = ['worker', `--concurrency=${concurrency}`];
		return new N8nServer(name, this.folder, port, command, {
			...this.environment,
			// Each tells its own end, as on a machine of its own.
			N8N_EVENTBUS_LOGWRITER_LOGBASENAME: name,
			N8N_RUNNERS_BROKER_PORT: String(broker),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
		});
	}

	/** Starts n8n with further settings; resolves when it is ready. @throws when it ends before that */
	async start(settings: NodeJS.ProcessEnv = {}): Promise<void> {
		const { n8n, node } = surroundings();
		const bin = join(n8n, 'node_modules/n8n/bin/n8n');
		const running = ProcessGroup.start(this.name, node, [bin, ...this.command], {
			cwd: this.folder,
			env: { ...this.environment, ...settings },
		});
		this.running = running;
		await running.ready(async () => {
			const answers = await Promise.all(
				this.readiness.map(async (path) => await this.answers(path)),
			);
			return answers.every((good) => good);
		});
	}

	/** What is answered when it is ready. n8n 1 is healthy before it answers its editor, which comes last; a worker has none. */
	private get readiness(): string[] {
		const health = '/healthz/readiness';
		return this.command[0] === 'worker' ? [health] : [health, '/'];
	}

	private async answers(path: string): Promise<boolean> {
		const answer = await fetch(`${this.url}${path}`).catch(() => undefined);
		await answer?.body?.cancel();
		return answer?.ok === true;
	}

	/** What n8n has said in all its lives. */
	get said(): string {
		return readFileSync(logOf(this.name), 'utf8');
	}

	/** Has n8n end in its own way. */
	async stop(): Promise<void> {
		await this.running?.stop();
	}

	/** Ends n8n and what it started at once, as a power cut does. */
	async kill(): Promise<void> {
		await this.running?.kill();
	}

	/** Ends n8n and forgets its data: so it need not end in its own way, which now and then takes it 30 seconds. */
	async remove(): Promise<void> {
		await this.kill();
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
	}
}
