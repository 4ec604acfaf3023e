import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './freePort.cjs';
import { ProcessGroup } from './processGroup.cjs';
import { surroundings } from './surroundings.cjs';

const run = promisify(execFile);

/** PostgreSQL refuses to be root: then it is Debian's nobody. */
const nobody = 65_534;
const role = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** Whether a command ends well. */
const succeeds = async (command: string, args: string[]): Promise<boolean> =>
	await run(command, args).then(
		() => true,
		() => false,
	);

/** The Redis and the PostgreSQL of one n8n in queue mode, with their data in the work folder. */
export class QueueServers {
	private constructor(
		private readonly folder: string,
		/** The settings by which n8n finds both. */
		readonly settings: NodeJS.ProcessEnv,
		private readonly running: ProcessGroup[],
	) {}

	/** Starts both on loopback; resolves when they are ready. `name` begins the names of their logs. */
	static async start(name: string): Promise<QueueServers> {
		const { work } = surroundings();
		const folder = join(work, `${name}-${randomUUID().slice(0, 8)}`);
		mkdirSync(folder);
		const [redisPort, postgresPort] = [await freePort(), await freePort()];
		const running = await Promise.all([
			startRedis(`${name}-redis`, folder, redisPort),
			startPostgres(`${name}-postgres`, folder, postgresPort),
		]);
		const settings = {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redisPort),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgresPort),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
		};
		return new QueueServers(folder, settings, running);
	}

	/** Ends both and forgets their data. */
	async remove(): Promise<void> {
		await Promise.all(this.running.map(async (server) => await server.stop()));
		rmSync(this.folder, { recursive: true, force: true });
	}
}

async function startRedis(name: string, folder: string, port: number): Promise<ProcessGroup> {
	const { redis = 'redis-server' } = surroundings();
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
	const server = ProcessGroup.start(name, redis, args, { cwd: folder });
	const client = join(dirname(redis), 'redis-cli');
	await server.ready(async () => await succeeds(client, ['-p', String(port), 'ping']));
	return server;
}

async function startPostgres(name: string, folder: string, port: number): Promise<ProcessGroup> {
	const { postgres = 'postgres', work } = surroundings();
	const program = (command: string) => join(dirname(postgres), command);
	const data = join(folder, 'postgres');
	mkdirSync(data, { mode: 0o700 });
	if (role.uid !== undefined) {
		// So that nobody reaches the data, of which it is the owner.
		chmodSync(work, 0o711);
		chownSync(data, role.uid, role.gid);
	}
	const how = ['--username', 'n8n', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'];
	await run(program('initdb'), ['--pgdata', data, '--no-sync', ...how], { cwd: data, ...role });
	const options = {
		listen_addresses: '127.0.0.1',
		port,
		unix_socket_directories: '',
		dynamic_shared_memory_type: 'mmap',
		fsync: 'off',
	};
	const args = Object.entries(options).flatMap(([option, value]) => ['-c', `${option}=${value}`]);
	const server = ProcessGroup.start(name, postgres, ['-D', data, ...args], { cwd: data, ...role });
	const address = ['--host', '127.0.0.1', '--port', String(port)];
	await server.ready(async () => await succeeds(program('pg_isready'), address));
	return server;
}
