import { z } from 'zod/v4';
import listed from './ending.json';
import { converted, sketch, type Sketch } from './build.cjs';

/** What the service ends on 10 December 2026: /extract, /deep-research and /llmstxt. */
const fields = z.record(z.string(), z.json());
const { extractions, tools, loops, kept } = z
	.strictObject({
		/** What an extraction is of, its body, what it becomes, and parameters of that. */
		extractions: z.array(z.tuple([z.string(), z.json(), z.string(), fields])),
		tools: z.array(z.tuple([fields, z.string()])),
		/** How a loop waits, the nodes that decide, and its connections. */
		loops: z.array(z.tuple([z.string(), z.array(sketch), z.array(z.string())])),
		/** What stays, and what its note says. */
		kept: z.array(z.tuple([z.string(), sketch, z.string()])),
	})
	.parse(listed);

const start: Sketch = ['Job', 'POST /v1/extract', { urls: ['https://a.example'], prompt: 'Title' }];
const wait: Sketch = ['Wait', 'wait', 5];
const status: Sketch = ['Status', `GET =/v1/extract/{{ $('Job').item.json.id }}`];
const result = (place = 'data.title'): Sketch => [
	'Result',
	'set',
	{ title: `={{ $json.${place} }}` },
];
const becomes = (sketches: Sketch[], links?: string[]) =>
	converted(sketches, links).report.rows.map(({ after, state }) => `${after}: ${state}`);

it.each(extractions)('An extraction %s is replaced, and its readers find the data', (...sample) => {
	const [, body, after, parameters] = sample;

	const found = converted([['Job', 'POST /v1/extract', body], wait, status, result()]);

	expect(found.report.rows).toMatchObject([{ after, state: 'whole' }]);
	expect(found.parametersOf('Job')).toMatchObject(parameters);
	const place = after === 'Page: Scrape' ? 'data.json.title' : 'data.title';
	expect(found.result()).toBe(`={{ $json.${place} }}`);
	// What it cost.
	expect(found.report.rows[0].notes.join(' ')).toContain('46');
});

it('An extraction loses what has no counterpart, and says so', () => {
	const body = { prompt: 'Tides', showSources: true };
	const { report } = converted([['Job', 'POST /v1/extract', body], wait, status]);

	const reasons = ['The field "showSources" has no counterpart.'];
	expect(report.rows).toMatchObject([{ state: 'part', reasons }]);
});

it('An extraction of several pages that nobody reads is a batch', () => {
	const body = { urls: ['https://a.example', 'https://b.example'], prompt: 'Title' };

	expect(becomes([['Job', 'POST /v1/extract', body], wait, status])).toEqual(['Batch: Run: whole']);
});

it.each(tools)('An extraction as a tool of an agent waits by itself: %j', (parameters, after) => {
	expect(becomes([['Job', 'firecrawlTool', parameters]])).toEqual([`${after}: whole`]);
});

const officialJob: Sketch = [
	'Job',
	'firecrawl',
	{ resource: 'Extract', urls: { items: [{ url: 'https://a.example' }] }, prompt: 'Title' },
];
const extractId = "={{ $('Job').item.json.id }}";
const officialStatus: Sketch = [
	'Status',
	'firecrawl',
	{ operation: 'getExtractStatus', extractId },
];

it.each(loops)('A loop that only waits falls away, %s', (_how, deciding, links) => {
	// The official node has the response under "data".
	const below = (text: string) => text.replaceAll('$json.', '$json.data.');
	const itsDeciding = z.array(sketch).parse(JSON.parse(below(JSON.stringify(deciding))));

	for (const nodes of [
		[start, wait, status, ...deciding, result()],
		[officialJob, wait, officialStatus, ...itsDeciding, result('data.data.title')],
	]) {
		const found = converted(nodes, links);

		expect(found.report.rows).toMatchObject([{ after: 'Page: Scrape', state: 'whole' }]);
		expect(found.workflow.nodes.map(({ name }) => name)).toEqual(['Start', 'Job', 'Result']);
		expect(found.result()).toBe('={{ $json.data.json.title }}');
	}
});

it('A loop that hands all of its result to a caller becomes an agent run', () => {
	const trigger: Sketch = ['When called', 'n8n-nodes-base.executeWorkflowTrigger'];
	const links = ['When called > Job', 'Job > Wait', 'Wait > Status'];

	expect(becomes([trigger, start, wait, status], links)).toEqual(['Agent: Run: whole']);
});

describe('A loop that does more than wait', () => {
	const done: Sketch = ['Done?', 'if', ['={{ $json.status }}', 'completed']];
	const counter: Sketch = ['Count', 'code', 'return [{ json: { tries: 1 } }]'];
	const loop = [start, wait, status, done, counter];
	const links = [
		...['Start > Job', 'Job > Wait', 'Wait > Status', 'Status > Done?', 'Done? > Result'],
		...['Done?:1 > Count', 'Count > Wait'],
	];

	it('stays, its start and its status as those of an agent run', () => {
		const found = converted([...loop, result()], links);

		expect(becomes([...loop, result()], links)).toEqual([
			'Agent: Start: whole',
			'Agent: Get: whole',
		]);
		expect(found.parametersOf('Status').jobId).toBe(`={{ $('Job').item.json.jobId }}`);
		expect(found.outputOf('Status')).toBe('raw');
		expect(found.report.rows[0].notes.join(' ')).toContain('its loop also runs "Count"');
	});

	it('stays as it is where one of them has to, and says when it stops', () => {
		const all: Sketch = ['Result', 'code', 'return Object.keys($("Job").item.json)'];
		const { rows } = converted([...loop, all], links).report;

		expect(rows.map(({ state }) => state)).toEqual(['kept', 'kept']);
		for (const { reasons } of rows)
			expect(reasons.join(' ')).toContain('10 December 2026, 15:00 UTC');
	});
});

describe('A research', () => {
	const jsonOptions = { schema: { type: 'object' } };
	const body = { query: 'Tides', analysisPrompt: 'As a table', jsonOptions };
	const researched = (place: string) =>
		converted([
			['Job', 'POST /v1/deep-research', body],
			wait,
			['Status', `GET =/v1/deep-research/{{ $('Job').item.json.id }}`],
			result(place),
		]);

	it.each(['data.finalAnalysis', 'data.sources[0].url', 'data.json.title'])(
		'is an agent run in which %s is found',
		(place) => {
			const found = researched(place);

			expect(found.report.rows).toMatchObject([{ after: 'Agent: Run', state: 'whole' }]);
			expect(found.result()).toBe(`={{ $json.${place} }}`);
			const { prompt, schema } = found.parametersOf('Job');
			expect(prompt).toBe('Tides\n\nAs a table');
			expect(JSON.parse(String(schema)).properties).toMatchObject({ json: jsonOptions.schema });
		},
	);

	it.each(['data.activities', 'currentDepth'])('stays where %s is read, and says so', (place) => {
		const [{ state, reasons }] = researched(place).report.rows;

		expect([state, reasons.join(' ')]).toEqual(['kept', expect.stringContaining(place)]);
		expect(reasons.join(' ')).toContain('10 December 2026');
	});
});

it.each(kept)(
	'A node that stays has a note with the date and the steps: %s',
	(_what, node, step) => {
		const { report, parametersOf } = converted([node]);

		expect(report.rows).toMatchObject([{ state: 'kept' }]);
		const { content } = parametersOf('Note on Job');
		expect(content).toContain('It stops on 10 December 2026, 15:00 UTC');
		expect(content).toContain(step);
	},
);
