import type { INodeProperties } from 'n8n-workflow';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

/** What a field holds whose description gives no example. */
const byName: Readonly<Record<string, readonly unknown[]>> = {
	answer: ['yes'],
	approvalId: ['approval-1'],
	binaryPropertyName: ['data'],
	calls: [
		[{ provider: 'relayworks', capability: 'template-search', options: { query: 'retry' } }],
		'[{"provider":"relayworks","capability":"template-search","options":{"query":"retry"}}]',
	],
	code: ['1 + 1'],
	from: ['2026-01-01'],
	to: ['2026-02-01T00:00:00Z'],
	goal: ['Prices change'],
	model: ['spark-2'],
	pageNumbers: ['1, 4'],
	prompt: ['Read the opening hours'],
	query: ['tide tables', 'coffee'],
	question: ['When is high water?'],
	schedule: [{ text: 'hourly' }, { cron: '0 9 * * *' }],
	script: ['document.title'],
	selector: ['a'],
	snapshotId: [id],
	text: ['hourly', 'daily at 9am'],
	threadId: [id],
	timezone: ['Europe/Berlin'],
	topic: ['tides'],
	url: ['https://tidewatch.example/guides/spring-tides', 'tidewatch.example/guides'],
	urls: [
		'https://tidewatch.example/guides/spring-tides, https://tidewatch.example/guides/storm-surges',
		['https://tidewatch.example/guides'],
	],
};

/** Whether all that a field may hold is known by its name. */
export const hasExamples = ({ name, type }: INodeProperties) =>
	type === 'collection' && Object.hasOwn(byName, name);

/** What the JSON fields of a shape hold, whatever format's they are. */
const byEnding: ReadonlyArray<[ending: RegExp, values: string[]]> = [
	[/schemaExample$/i, ['{"title":"Tides"}', '{"pages":[],"checked":null}']],
	[/schema$/i, ['{"type":"object","properties":{"title":{"type":"string"}}}']],
];

/** What a user may type into a text or JSON field: the example that its description gives, or what its name tells. */
export function plausibleTexts({ name, placeholder, default: initial, type }: INodeProperties) {
	const example = /^e\.g\. (.+)$/.exec(placeholder ?? '')?.[1];
	const known = Object.hasOwn(byName, name) ? byName[name] : [];
	const isId = /Id$/.test(name) && known.length === 0;
	const all: unknown[] = [
		...known,
		...(example === undefined ? [] : [example]),
		...(isId ? [id] : []),
		...byEnding.flatMap(([ending, values]) => (ending.test(name) ? values : [])),
		...(type === 'json' ? [initial] : []),
	];
	return all.length === 0 ? ['some words'] : all;
}
