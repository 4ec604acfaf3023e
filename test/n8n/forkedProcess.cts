import { delimiter, join } from 'node:path';
import { Remote } from '../remote.cjs';
import { projectRoot } from '../root.cjs';

/** What a script of this folder finds; it finds the official package, and that one n8n's own packages, as in n8n. */
export async function foundBy<Found>(script: string): Promise<Found[]> {
	const { NODE_PATH = '' } = process.env;
	const env = { NODE_PATH: [join(projectRoot, 'node_modules'), NODE_PATH].join(delimiter) };
	const remote = new Remote<object, Found[]>(`test/n8n/${script}`, { env });
	return await remote.ask({}).finally(async () => await remote.end());
}
