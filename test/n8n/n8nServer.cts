import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { projectRoot } from '../root.cjs';
import { freePort } from './freePort.cjs';
import { surroundings } from './surroundings.cjs';
import { until } from './until.cjs';

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

/** Where what n8n says is kept. */
const logs = join(projectRoot, '.build/n8n/logs');

/** The real n8n as a process of its own, with its data in a folder that outlives it. */
export class N8nServer {
	private child?: ChildProcess;

	private constructor(
		private readonly name: string,
		/** n8n's user folder. */
		readonly folder: string,
		readonly port: number,
		private readonly environment: NodeJS.ProcessEnv,
	) {}

	/** An n8n that has not been started yet. `name` is that of its log. */
	static async create(name: string): Promise<N8nServer> {
		const { node, work } = surroundings();
		const [port, broker] = [await freePort(), await freePort()];
		const folder = join(work, `${name}-${randomUUID().slice(0, 8)}`);
		mkdirSync(folder);
		return new N8nServer(name, folder, port, {
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
			N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,agents,mcp,chat-hub,insights',
			EXTERNAL_FRONTEND_HOOKS_URLS: '',
			...Object.fromEntries(off.map((setting) => [setting, 'false'])),
		});
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Where n8n looks for community packages. */
	get packages(): string {
		return join(this.folder, '.n8n', 'nodes');
	}

	/** Starts n8n; resolves when it is ready. @throws when it ends before that */
	async start(): Promise<void> {
		const { n8n, node, work } = surroundings();
		mkdirSync(logs, { recursive: true });
		const log = createWriteStream(join(logs, `${this.name}.log`), { flags: 'a' });
		const child = spawn(node, [join(n8n, 'node_modules/n8n/bin/n8n'), 'start'], {
			cwd: this.folder,
			env: this.environment,
			// n8n starts processes of its own: they are ended with it, as a group.
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		this.child = child;
		child.stdout.pipe(log);
		child.stderr.pipe(log);
		const note = join(work, 'processes', String(child.pid));
		mkdirSync(dirname(note), { recursive: true });
		writeFileSync(note, '');
		child.once('close', () => rmSync(note, { force: true }));
		await until('n8n to be ready', async () => {
			if (child.exitCode !== null) {
				throw new Error(`n8n ended with ${child.exitCode}; see ${logs}/${this.name}.log`);
			}
			const answer = await fetch(`${this.url}/healthz/readiness`).catch(() => undefined);
			await answer?.body?.cancel();
			return answer?.ok || undefined;
		});
	}

	/** Has n8n end in its own way. */
	async stop(): Promise<void> {
		const { child } = this;
		if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
		const closed = once(child, 'close');
		child.kill('SIGTERM');
		const late = setTimeout(() => this.signalGroup('SIGKILL'), 30_000);
		await closed;
		clearTimeout(late);
		this.signalGroup('SIGKILL');
	}

	/** Ends n8n and what it started at once, as a power cut does. */
	async kill(): Promise<void> {
		if (!this.child) return;
		const closed = once(this.child, 'close');
		this.signalGroup('SIGKILL');
		await closed;
	}

	/** Ends n8n and forgets its data. */
	async remove(): Promise<void> {
		await this.stop();
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
	}

	private signalGroup(signal: NodeJS.Signals): void {
		if (!this.child?.pid) return;
		try {
			process.kill(-this.child.pid, signal);
		} catch (error) {
			// Nobody is left of the group. (Jest has an Error of its own: instanceof would not know this one.)
			if (Reflect.get(Object(error), 'code') !== 'ESRCH') throw error;
		}
	}
}
