import { nearThree } from '../nearThree.cjs';

/** A container of n8n: its image, the port that it listens on, and the folder with its community packages. */
interface Container {
	image: string;
	port: number;
	packages: string;
}

/** The arguments of `docker` that start it on the machine's own network, where the mock server listens. */
export function containerArguments({ image, port, packages }: Container): string[] {
	const { N8N_UNVERIFIED_PACKAGES_ENABLED, N8N_SSRF_ALLOWED_IP_RANGES } = nearThree;
	const settings = {
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED,
		N8N_SSRF_ALLOWED_IP_RANGES,
	};
	return [
		...['run', '--detach', '--network', 'host'],
		...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
		...['--volume', `${packages}:/home/node/.n8n/nodes`],
		image,
	];
}
