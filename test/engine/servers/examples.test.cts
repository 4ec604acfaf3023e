import { examples, itemsOf, loadWorkflow } from '../../demo/examples.cjs';
import { ages } from '../../mock-server/servers.cjs';
import { startService, type Service } from '../../mock-server/service.cjs';
import { keys } from '../../mock-server/teams.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { createEngine, type Engine } from '../harness.cjs';

const servers = ages.flatMap((age) => [
	{ age, selfHosted: false },
	{ age, selfHosted: true },
]);
const names = ['search-and-read', 'crawl', 'batch'];

/** Every example here runs on servers of every age as it is: what a server lacks costs no result. */
describe.each(names)('the example %s', (name) => {
	const example = examples[name];
	const workflow = loadWorkflow(example, example.mockQuery);
	let engine: Engine;
	let service: Service;
	const time = useDrivenTime(() => service);
	const outcomes = new Map<string, unknown>();

	beforeAll(async () => (engine = await createEngine()));
	afterAll(() => engine.close());

	it.each(servers)('runs on a server of $age, self-hosted: $selfHosted', async (server) => {
		service = await startService({ server, pages: { pageMs: 1 } });
		const { selfHosted } = server;
		const credentials = {
			webDataApi: { baseUrl: service.url, apiKey: selfHosted ? '' : keys.full },
		};

		const run = await time.drive(engine.run({ workflow, credentials }));
		const requests = service.log.entries.map(({ method, path, status }) => ({
			method,
			path,
			status,
		}));
		await service.close();

		expect([run.status, run.error?.message]).toEqual(['success', undefined]);
		expect(requests.filter(({ status }) => status === 400)).toEqual([]);
		const items = itemsOf(run, example);
		expect(items.length).toBeGreaterThan(2);
		const seen = items
			.map(({ url, label, title, failed, fileName, markdown }) =>
				JSON.stringify({ url, label, title, failed: failed ?? false, fileName, markdown }),
			)
			.sort();
		outcomes.set(`${server.age} ${selfHosted}`, seen);
		expect(seen).toEqual([...outcomes.values()][0]);
	});
});
