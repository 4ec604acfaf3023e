import type { Resource } from '../../runtime/execution/operation';

/** The resources by their names in workflows. */
const loaders: Record<string, () => Promise<Resource>> = {
	account: async () => (await import('./account')).account,
	agent: async () => (await import('./agent')).agent,
	batch: async () => (await import('./batch')).batch,
	crawl: async () => (await import('./crawl')).crawl,
	file: async () => (await import('./file')).file,
	map: async () => (await import('./map')).map,
	monitor: async () => (await import('./monitor')).monitor,
	page: async () => (await import('./page')).page,
	paper: async () => (await import('./paper')).paper,
	search: async () => (await import('./search')).search,
	session: async () => (await import('./session')).session,
	tool: async () => (await import('./dataTool')).tool,
};

/**
 * Loads the resource of a name on demand, since an execution needs only one; none for any other
 * name.
 */
export async function resourcesNamed(name: unknown): Promise<Resource[]> {
	return typeof name === 'string' && Object.hasOwn(loaders, name) ? [await loaders[name]()] : [];
}
