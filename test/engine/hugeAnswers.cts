import { hostilePages } from '../mock/site/hostilePages.cjs';
import { inBody, type Visit } from './answerContent.cjs';
import type { Change } from './answerProxy.cjs';

/** A way in which responses are large, or become large where parts of them are repeated. */
export interface Hugeness {
	words: string;
	change: Change;
	/** Whether long values stand beside its entries, which share them. */
	sharesValues?: true;
	/** Whether only some operations have responses of that kind. */
	isRare?: true;
}

const prose = (size: number): string => 'tide '.repeat(size / 5);

/** A page whose headings, and the head of whose table, stand above many short parts of it. */
const page = [
	hostilePages['nested long headings above many short blocks'](60_000),
	hostilePages['a long table head above many short rows'](60_000),
].join('\n\n');

const isPageText = (name: string): boolean => /^(markdown|html|rawHtml|text|content)$/.test(name);

const isRecord = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts and titles made long, and pages replaced: each begins in its own way, so that no two share it. */
const withLongTexts: Change = (answer) => {
	let count = 0;
	return inBody((value, name) => {
		if (typeof value !== 'string') return value;
		count += 1;
		if (isPageText(name)) return page.replace('tide', `${count}`);
		return `${count} ${prose(name === 'title' ? 30_000 : 1_000)}`;
	})(answer);
};

/** An answer whose addresses of pages of the small web are so much longer. */
const withLongerUrls =
	(change: Change, more: number): Change =>
	(answer) => {
		const changed = change(answer);
		const isOfPage = (value: unknown): value is string =>
			typeof value === 'string' && /^https?:\/\/[^/]+\.example\b/.test(value);
		const body: unknown = JSON.parse(JSON.stringify(changed.body), (_name, value: unknown) =>
			isOfPage(value) ? `${value}${value.includes('?') ? '&' : '?'}${'x'.repeat(more)}` : value,
		);
		return { ...changed, body };
	};

/** An answer with more members in its body, and in `data` where that is an object. */
const withMembers =
	(change: Change, members: object): Change =>
	(answer) => {
		const { body, ...changed } = change(answer);
		if (!isRecord(body)) return { ...changed, body };
		const data: unknown = Reflect.get(body, 'data');
		return {
			...changed,
			body: { ...body, ...members, ...(isRecord(data) && { data: { ...data, ...members } }) },
		};
	};

/** An entry as small as its kind allows: two of its texts, its addresses, and nothing in its lists. */
function small(entry: unknown): unknown {
	if (typeof entry === 'string') return entry.slice(0, 60);
	if (Array.isArray(entry)) return [];
	if (!isRecord(entry)) return entry;
	const kept = Object.entries(entry).filter(
		([name, member], index) => index < 2 || /url/i.test(name) || isRecord(member),
	);
	return Object.fromEntries(kept.map(([name, member]) => [name, small(member)]));
}

const someEntry = { id: '7', url: 'https://tidewatch.example/', title: 'Tides' };

const withManyEntries: Visit = (value) =>
	Array.isArray(value)
		? Array.from({ length: 1_000 }, () => small(value.length > 0 ? value[0] : someEntry))
		: value;

const problems = Array.from({ length: 100 }, (_, index) => ({
	path: [`field ${index}`],
	message: `${index} ${prose(500)}`,
}));

const refused: Change = () => ({
	status: 400,
	type: 'application/json',
	body: {
		success: false,
		code: 'BAD_REQUEST',
		error: prose(20_000),
		runId: prose(20_000),
		upgrade_url: prose(20_000),
		login_url: prose(20_000),
		requiresAction: { url: prose(20_000), terms: prose(20_000), version: prose(20_000) },
		details: problems,
	},
});

/** Jobs that have failed with many words. */
const failedJobs: Change = ({ body, ...answer }) => ({
	...answer,
	body:
		isRecord(body) && 'status' in body && !('id' in body)
			? { ...body, status: 'failed', error: prose(100_000) }
			: body,
});

/** Values beside the entries of an answer: one that is long, and very many long warnings. */
const besideEntries = {
	about: { tides: prose(30_000) },
	warnings: Array.from({ length: 110 }, (_, index) => `${index} ${prose(1_200)}`),
};

export const hugenesses: Hugeness[] = [
	{
		words: 'pages of long heads with long titles and URLs',
		change: withLongerUrls(withLongTexts, 30_000),
	},
	{
		words: 'many small entries beside long values',
		change: withMembers(inBody(withManyEntries), besideEntries),
		sharesValues: true,
	},
	{ words: 'errors of many words', change: refused },
	{
		words: 'jobs that failed with many words',
		change: failedJobs,
		sharesValues: true,
		isRare: true,
	},
	{
		words: 'long pages in the place of JSON',
		change: () => ({ status: 502, type: 'text/html', body: `<title>${prose(100_000)}</title>` }),
		isRare: true,
	},
];
