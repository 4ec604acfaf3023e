import { startService, type Service } from '../test/mock/service.cjs';
import { serveOrders } from './remote.cjs';
import type { MockServerOrder, MockServerReport } from './mockServer.cjs';

let service: Service | undefined;

serveOrders(async ({ bulk }: MockServerOrder): Promise<MockServerReport> => {
	service ??= await startService();
	const { url, keys, context, ledger, site } = service;
	if (bulk) {
		service.reset();
		context.pageJobs.paces.set({ pageMs: 0 });
		Object.assign(site.bulk, bulk);
	}
	const credits = ledger.entries.reduce((sum, entry) => sum + entry.credits, 0);
	return { url: `${url}/v2`, key: keys.full, credits };
});
