import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { builtNode } from '../builtNode.cjs';
import { page } from './file/inputFiles.cjs';
import { useDrivenTime } from './drivenTime.cjs';
import { useTestBed } from './testBed.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);

const site = 'https://tidewatch.example';
const listed = { formats: ['markdown', 'json'], jsonSchemaExample: '[{"title": ""}]' };
const call = { provider: 'relayworks', capability: 'template-search', options: { query: 'tide' } };

const formats = builtNode('WebData').description.properties.flatMap(
	({ name, displayOptions: { show } = {}, options = [] }) =>
		name === 'formats' && show?.resource?.includes('page')
			? options.flatMap((each) => ('value' in each ? [each] : []))
			: [],
);

const staysOpen = { additionalFields: { closeSession: false } };

/** Runs of the operations whose response names what it cost. */
const runs: Record<string, INodeParameters> = {
	'search query': { query: 'spring tide', limit: 5, scrapeResults: true },
	'search passages': { query: 'spring tide', limit: 5 },
	'page scrape': { url: `${site}/guides/spring-tides`, ...listed },
	'batch run': {
		urls: `${site}/guides/spring-tides#a, ${site}/guides/spring-tides#b, ${site}/nowhere`,
		...listed,
	},
	'crawl run': { url: site, limit: 4 },
	'file parse': {},
	'agent run': { prompt: 'tides of harbours' },
	'tool execute': { calls: JSON.stringify([call, call]) },
};

/** The credits that an item names. */
const creditsOf = ({ creditsUsed, creditsCost, creditsBilled }: IDataObject): number =>
	Number(creditsUsed ?? creditsCost ?? creditsBilled ?? 0);

describe('the costs that items name', () => {
	it.each(Object.keys(runs))('add up to what was charged for %s', async (name) => {
		const [resource, operation] = name.split(' ');
		const account = testBed.account();
		const input = ['a', 'b'].map((tag) => ({ ...page(), json: { tag } }));
		const options = { account, input: operation === 'run' ? input.slice(0, 1) : input };
		const run = await time.drive(testBed.begin(resource, operation, runs[name], options).done);

		expect(run.error).toBeUndefined();
		const items = run.output().map(({ json }) => json);
		const paid = testBed.service.context.ledger.spent(account.team.id);
		// Runs of agents are among the free ones of the day.
		expect(paid > 0).toBe(resource !== 'agent');
		expect(items.map(creditsOf).reduce((sum, credits) => sum + credits, 0)).toBe(paid);
		// What repeats a cost would be added twice.
		expect(items.filter(({ request }) => Object(request).creditsUsed !== undefined)).toEqual([]);
	});

	it.each(formats)('are those that the editor says of the format $value', async (format) => {
		const account = testBed.account();
		const others = format.value === 'changeTracking' ? ['markdown'] : [];
		const asked = { jsonPrompt: 'Title', question: 'When?', highlightsQuery: 'tides' };
		const parameters = { url: site, formats: [format.value, ...others], ...asked };
		await time.drive(testBed.run('page', 'scrape', parameters, { account }));

		const [, more = 0] = /\+(\d+) credits?$/.exec(format.description ?? '') ?? [];
		expect(testBed.service.context.ledger.spent(account.team.id)).toBe(1 + Number(more));
	});

	it('add up for a browser session once it is closed', async () => {
		const account = testBed.account();
		const created = await testBed.run('session', 'create', staysOpen, { account });
		const sessionId = { __rl: true, mode: 'id', value: String(created.output()[0].json.id) };
		await testBed.run('session', 'execute', { sessionId, code: '1', ...staysOpen }, { account });
		const closed = await testBed.run('session', 'delete', { sessionId }, { account });

		const items = [created, closed].flatMap((run) => run.output().map(({ json }) => json));
		const paid = testBed.service.context.ledger.spent(account.team.id);
		expect(paid).toBeGreaterThan(0);
		expect(items.map(creditsOf).reduce((sum, credits) => sum + credits, 0)).toBe(paid);
	});
});
