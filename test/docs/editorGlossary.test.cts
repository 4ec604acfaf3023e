import { WebDataApi } from '../../credentials/WebDataApi.credentials';
import { isRecord } from '../../nodes/runtime/values/record';
import { builtNode } from '../builtNode.cjs';
import { glossaryCheck, type Exception, type Use } from '../glossary.cjs';

/** Words that the editor does not use, each with what it says in their place. */
const notUsed: Array<[words: RegExp, instead: string]> = [
	[/\baddress(es)?\b/i, 'URL'],
	[/\b(read|reads|reading)\b/i, 'scrape, fetch, parse'],
	[/\banswer(s|ed)?\b/i, 'response, respond'],
	[/\b(ask|asks|asked)\b/i, 'request'],
	[/\b(tell|tells|told)\b/i, 'return, report, show'],
	[/\bwords\b/i, 'message'],
	[/\b(asleep|sleep|sleeps|sleeping|wake|wakes)\b/i, 'suspend, wait, resume'],
	[/\b(calls? back|called back|callbacks?|deliver(y|ies))\b/i, 'webhook event'],
	[/\blooks? (at|for|into)\b/i, 'poll, look up'],
	[/\bmembers?\b/i, 'field'],
	[/\b(left|leaves?) out\b/i, 'omit, exclude'],
	[/\b(kept|put back|set aside)\b/i, 'retained, restored, reserved'],
	[/\bin any case\b/i, 'always'],
	[/\bgo(es)? on\b/i, 'continue, resume, reuse'],
	[/\b(try|tries|tried)\b/i, 'attempt'],
	[/\bin flight\b/i, 'concurrency'],
	[/\brefuse[sd]?\b/i, 'reject'],
	[/\bthe service('s)?\b/i, 'the server, Firecrawl'],
	[/\b(anew|beside|all the same)\b/i, 'again, together with, anyway'],
];

/** Texts that use one of these words in another sense. */
const allowed: Exception[] = [
	[/^/, /email addresses/, 'they are no URLs'],
	[/^/, /\bRead\b|\bread$/, 'the name of an operation of papers'],
	[
		/^/,
		/answer (from the page|this)|answer from|that answer|must answer/,
		'a question has an answer',
	],
	[/^/, /^Ask$/, 'a value of the API'],
	[/^/, /^Also Ask$/, 'a question is asked'],
	[/^/, /tell me when/, 'a prompt for a model'],
	[/^/, /delivery times/, 'those of parcels'],
	[/^/, /All Words|Words that|Words or|words or/, 'words of a page'],
	[/^/, /^Max Tries$/, "n8n's own name of it"],
];

/** The fields of a description that people read. */
const shown = new Set([
	'displayName',
	'description',
	'placeholder',
	'hint',
	'action',
	'name',
	'multipleValueButtonText',
	'waitingNodeTooltip',
	'emptyFieldsNotice',
]);

/** Every text of a description, once. `name` is one where an option has it, and a name otherwise. */
function textsIn(value: unknown, texts = new Set<string>()): Set<string> {
	if (Array.isArray(value)) value.forEach((entry) => textsIn(entry, texts));
	if (!isRecord(value)) return texts;
	for (const [key, text] of Object.entries(value)) {
		if (typeof text !== 'string') textsIn(text, texts);
		else if (shown.has(key) && !(key === 'name' && 'displayName' in value)) texts.add(text);
	}
	// The default of this one is a text for AI models.
	if (value.name === 'toolDescription' && typeof value.default === 'string') {
		texts.add(value.default);
	}
	return texts;
}

const described = [
	...['WebData', 'WebDataPollingTrigger', 'WebDataTrigger'].map(
		(name) => builtNode(name).description,
	),
	new WebDataApi().properties,
];

const texts = [...textsIn(described)].map((text): Use => ({ place: 'editor', text }));

/** Words in a text that the editor does not use, in a sentence. */
const faultsIn = ({ text }: Use) =>
	notUsed
		.filter(([words]) => words.test(text))
		.map(([words, instead]) => `"${words.exec(text)?.[0]}" for ${instead}: ${text}`);

const { faultsOf, idleExceptions } = glossaryCheck(faultsIn, allowed);

describe('The texts of the editor', () => {
	it('use one word for one thing', () => {
		expect(faultsOf(texts)).toEqual([]);
	});

	it('need every exception that is made', () => {
		expect(idleExceptions(texts)).toEqual([]);
	});

	it('are read with their options, buttons and notices', () => {
		expect(texts.map(({ text }) => text)).toEqual(
			expect.arrayContaining(['Poll Until Finished', 'Add Scrape Option', 'Scrape a page']),
		);
		const text = 'Looks at the address that the service names';
		expect(faultsIn({ place: 'editor', text })).toHaveLength(3);
	});
});
