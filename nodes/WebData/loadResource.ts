import type { Resource } from '../runtime/operation';

/** The resources by their values, each loaded at its first use: all together take three times as long. */
const resources = new Map<unknown, () => Promise<Resource>>([
	['search', async () => (await import('./resources/search')).search],
	['page', async () => (await import('./resources/page')).page],
	['crawl', async () => (await import('./resources/crawl')).crawl],
	['map', async () => (await import('./resources/map')).map],
	['batch', async () => (await import('./resources/batch')).batch],
	['file', async () => (await import('./resources/file')).file],
	['agent', async () => (await import('./resources/agent')).agent],
	['session', async () => (await import('./resources/session')).session],
	['monitor', async () => (await import('./resources/monitor')).monitor],
	['paper', async () => (await import('./resources/paper')).paper],
	['tool', async () => (await import('./resources/dataTool')).tool],
	['account', async () => (await import('./resources/account')).account],
]);

/** Loads a resource; undefined if this version of the node does not have it. */
export const loadResource = async (value: unknown): Promise<Resource | undefined> =>
	await resources.get(value)?.();
