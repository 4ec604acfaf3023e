import {
	extractFromAICalls,
	jsonParse,
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { tokensOf } from '../../../nodes/runtime/tool/passages';
import { resources } from '../../../nodes/WebData/resources';
import { builtNode } from '../../builtNode.cjs';
import { node } from '../schemaAssertions.cjs';

// n8n's UX guidelines, and those rules of its lint plugin that read only literals, on what the build makes of the nodes.

/** A text of the editor, with where it is. */
interface Place {
	at: string;
	text: string;
}

/** A field, with the names of what is around it. */
interface FieldPlace {
	at: string;
	field: INodeProperties;
}

const nodes = ['WebData', 'WebDataTrigger', 'WebDataPollingTrigger'].map(
	(name) => builtNode(name).description,
);

const [webData] = nodes;

/** What the options of a property are: choices, groups, or fields. */
type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

const entriesOf = ({ options = [] }: INodeProperties): Entry[] => options;
const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;
const fieldsIn = (entry: Entry): INodeProperties[] =>
	'values' in entry ? entry.values : [entry].filter(isProperty);

/** A field with all that it holds. */
const within = (field: INodeProperties, around: string): FieldPlace[] => {
	const at = `${around} > ${field.displayName}`;
	const inner = entriesOf(field)
		.flatMap(fieldsIn)
		.flatMap((each) => within(each, at));
	return [{ at, field }, ...inner];
};

/** Every field but the poll times, whose texts are n8n's own. */
const fields = nodes.flatMap(({ displayName, properties }) =>
	properties
		.filter(({ name }) => name !== 'pollTimes')
		.flatMap((each) => within(each, displayName)),
);

const choices = fields.flatMap(({ at, field }) =>
	entriesOf(field).flatMap((entry) => ('value' in entry ? [{ at, ...entry }] : [])),
);

const operations = resources.flatMap(({ value: resource, operations: all }) =>
	all.map((operation) => ({ ...operation, resource, at: `${resource}: ${operation.value}` })),
);

const textsOf = (read: (field: INodeProperties) => string | undefined): Place[] =>
	fields.flatMap(({ at, field }) => {
		const text = read(field);
		return text === undefined ? [] : [{ at, text }];
	});

/** What the editor explains: of nodes, fields and choices. The model reads a tool's description. */
const explanations: Place[] = [
	...nodes.map(({ displayName, description }) => ({ at: displayName, text: description })),
	...textsOf(({ description }) => description),
	...choices.map(({ at, name, description = '' }) => ({
		at: `${at} = ${name}`,
		text: description,
	})),
];

const hints = textsOf(({ hint }) => hint);
const notices = textsOf(({ type, displayName }) => (type === 'notice' ? displayName : undefined));
const actions: Place[] = operations.map(({ at, action }) => ({ at, text: action }));
const switches = fields.filter(({ field }) => field.type === 'boolean');

/** The fields of an operation that the editor shows as soon as it is chosen. */
function shownAtFirst(resource: string, operation: string): INodeProperties[] {
	const chosen: INodeParameters = { resource, operation };
	const parameters =
		NodeHelpers.getNodeParameters(webData.properties, chosen, true, false, node, webData) ?? {};
	const own: INode = { ...node, parameters };
	return webData.properties
		.filter(({ name }) => !(name in chosen))
		.filter((field) => NodeHelpers.displayParameter(parameters, field, own, webData));
}

const panels = operations.map(({ at, resource, value }) => ({
	at,
	shown: shownAtFirst(resource, value),
}));

/** Optional fields outside of collections: they limit what is paid for, or decide what comes out or is shown. */
const upFront = new Set([
	...['limit', 'returnAll', 'k', 'goal', 'formats', 'scrapeResults'],
	...['schemaType', 'taskType', 'alsoAsk', 'name'],
]);

/** The switches that are on unless they are set. */
const onByDefault = [
	...['blockAds', 'onlyMainContent', 'saveChanges', 'includeSubdomains', 'highlights', 'rerank'],
	...['streamWebView', 'recordSession', 'judgeEnabled', 'closeSession', 'requireSignature'],
];

/** Those that are on in one place and off in another: the service leaves them out of a map, and of a batch. */
const onSomewhere = ['returnAll', 'ignoreQueryParameters', 'ignoreInvalidURLs', 'confirmChanges'];

/** Whether a field is one of those that a user adds. */
const isAdded = (at: string) => at.split(' > ').length > 2;

const isContainer = ({ type }: INodeProperties) =>
	type === 'collection' || type === 'fixedCollection';

const small = 'a an and as at by for from if in into of on only or per the to until via with'.split(
	' ',
);

/** Whether words are in title case; names of the API and n8n keep their own letters. */
const isTitle = (name: string) =>
	name
		.replace(/'[^']*'/g, '')
		.split(/[\s(/]+/)
		.every((word, index) => !/^[a-z]/.test(word) || (index > 0 && small.includes(word)));

const asked = /prompt|question|quer(y|ies)|search|goal|objective/i;

const measures =
	/\b(milliseconds|seconds|minutes|days|credits|characters|pixels|how many|how often|levels?|number of|pages|results|calls|links|stars|size|score|file|percent)\b/i;

const matching = (places: Place[], pattern: RegExp) =>
	places.filter(({ text }) => pattern.test(text));
const longer = (places: Place[], most: number) => places.filter(({ text }) => text.length > most);
const ofFields = (wrong: (field: INodeProperties) => boolean, from = fields) =>
	from.filter(({ field }) => wrong(field));

/** What breaks a rule: a text, a field, or a choice of one. */
type Broken = { at: string } & Partial<Place & FieldPlace & INodePropertyOptions>;

/** The rules by their names, each with what it asks for and what breaks it. */
const rules: Record<string, Broken[]> = {
	'omit-articles: an action without a, an, the': matching(actions, /\b(an?|the)\b/i),
	'verb-first: a verb that is new here belongs into this list': actions.filter(
		({ text }) =>
			!/^(Cancel|Close|Crawl|Create|Delete|Find|Get|Interact|Map|Open|Parse|Preview|Run|Scrape|Search|Start|Stop|Update) /.test(
				text,
			),
	),
	'action-in-six-words-of-its-own': actions.filter(
		({ text }) =>
			text.split(' ').length > 6 || actions.filter((other) => other.text === text).length > 1,
	),
	'description-max-length: 100 characters at most': longer(explanations, 100),
	'hint-max-length: 120 characters at most': longer(hints, 120),
	'boolean-description: begins with Whether': ofFields(
		({ description = '' }) => !/^Whether /.test(description),
		switches,
	),
	'switch-shows-default: it is off, or in onByDefault': ofFields(
		({ name, default: initial }) =>
			!onSomewhere.includes(name) && initial !== onByDefault.includes(name),
		switches.filter(({ at }) => !isAdded(at)),
	),
	'added-switch-is-on: and says enabled by default if it is in onByDefault': ofFields(
		({ name, default: initial, description = '' }) =>
			initial !== true ||
			(!onSomewhere.includes(name) &&
				/enabled by default/.test(description) !== onByDefault.includes(name)),
		switches.filter(({ at }) => isAdded(at)),
	),
	'title-case: capitals but for the small words of this file': [
		...fields.filter(({ field }) => field.type !== 'notice' && !isTitle(field.displayName)),
		...choices.filter(({ name }) => !isTitle(name)),
	],
	'no-alarming-words: no error, problem, fail, mistake': matching(
		[...explanations, ...hints, ...notices].map(({ at, text }) => ({
			at,
			text: text.replace('Retry On Fail', ''),
		})),
		/\b(errors?|problems?|fail(s|ed|ures?)?|mistakes?)\b/i,
	),
	'placeholder-format: e.g. and an example, or Add and a noun': ofFields(
		(field) => !(isContainer(field) ? /^Add \S|^$/ : /^e\.g\. \S|^$/).test(field.placeholder ?? ''),
	),
	'placeholder-of-required-texts': ofFields(
		({ type, default: initial, name, required, placeholder }) =>
			type === 'string' && initial === '' && (required || asked.test(name)) && !placeholder,
	),
	'require-param-default': ofFields(({ default: initial }) => initial === undefined),
	'json-default': ofFields(
		({ type, default: initial }) =>
			type === 'json' && jsonParse(String(initial), { fallbackValue: null }) === null,
	),
	'resource-locator-from-list': ofFields(
		({ type, default: initial }) => type === 'resourceLocator' && Object(initial).mode !== 'list',
	),
	'no-duplicate-param-options': fields.filter(({ field }) => {
		const names = entriesOf(field).map(({ name }) => name);
		return new Set(names).size < names.length;
	}),
	'no-asterisk-in-option-names': choices.filter(({ name }) => name.includes('*')),
	'non-required-fields-in-collection: or in upFront, as required choices are': panels.flatMap(
		({ at, shown }) =>
			shown
				.filter((field) => !isContainer(field) && !field.required && !upFront.has(field.name))
				.map(({ name }) => ({ at: `${at} ${name}` })),
	),
	// Earlier n8n runs no node where it is another: "Could not resolve parameter dependencies".
	'collection-depends-on-itself': fields.flatMap(({ at, field }) => {
		const inner = field.type === 'collection' ? entriesOf(field).filter(isProperty) : [];
		const own = new Set([...inner.map(({ name }) => name), '@tool']);
		return inner
			.filter(({ displayOptions: { show, hide } = {} }) =>
				Object.keys({ ...show, ...hide }).some((name) => !own.has(name) && !name.startsWith('/')),
			)
			.map(({ name }) => ({ at: `${at} > ${name}` }));
	}),
	'two-collections': panels.filter(({ shown }) => {
		const added = shown.filter(({ type, required }) => type === 'collection' && !required);
		const names = added.map(({ displayName }) => displayName);
		return !/^(Scrape Options,)?((Additional|Update) Fields)?,?(Options)?$/.test(names.join());
	}),
	'shared-fields-last': panels.filter(({ shown }) => {
		const names = shown.map(({ displayName }) => displayName).join();
		return /(^|,)(Additional Fields|Options),(?!Options$)/.test(names);
	}),
	'numbers-have-units: what it counts, in a word that measures in this file has': ofFields(
		({ type, description = '' }) => type === 'number' && !measures.test(description),
	),
	'unit-in-name: such as Max Wait (Minutes)': ofFields(
		({ type, displayName, description = '' }) =>
			type === 'number' &&
			/\bin (milliseconds|seconds|minutes|days)\b/i.test(description) &&
			!/\b(Milliseconds|Seconds|Minutes|Days)\)?$/.test(displayName),
	),
	'numbers-have-maximum: in the description, too': ofFields(
		({ typeOptions, description = '' }) =>
			typeOptions?.maxValue !== undefined &&
			!description.includes(typeOptions.maxValue.toLocaleString('en-US')),
	),
	'tool-description-in-60-tokens: with what it returns': operations.filter(
		({ description }) => tokensOf(description) > 60 || !/\b[Rr]eturns?\b/.test(description),
	),
	'tool-description-names-price: in credits, or Free': operations.filter(
		({ description }) => !/\b([Cc]redits?|[Ff]ree|charged?|price)\b/.test(description),
	),
	'costs-and-max-credits: an operation has both, or is free': operations.filter(
		({ costs, fields: shown }) =>
			(costs === 'free') === JSON.stringify(shown).includes('"maxCreditsPerExecution"'),
	),
	// It must be true whatever other tools there are.
	'tool-description-stands-alone: it names no other operation': operations.filter(
		({ description }) =>
			/\b(?:[Uu]se|with|for|of|that) [A-Z][a-z]+ ?[a-z]*\b(?! States)|\buse (?:a|an|those|it) |'[A-Z][^']*'|\bWith [A-Z]/.test(
				description,
			),
	),
};

it.each(Object.entries(rules))('%s', (_rule, broken) => {
	const places = broken.map(
		({ at, text, field, name }) => `${at}: ${text ?? field?.description ?? name ?? ''}`,
	);
	expect([...new Set(places)]).toEqual([]);
});

it.each(operations)(
	'$at tells the model its description, and the user the first sentence',
	(operation) => {
		const { resource, value, description } = operation;
		const chosen = { resource, operation: value };
		const parametersOf = (type: INodeTypeDescription): INode['parameters'] =>
			NodeHelpers.getNodeParameters(type.properties, chosen, true, false, node, type) ?? {};
		const tool = { ...webData, name: `${webData.name}Tool` };
		const asTool = { ...node, parameters: parametersOf(tool) };

		expect(NodeHelpers.getToolDescriptionForNode(asTool, { description: tool })).toBe(description);
		expect(parametersOf(webData)).not.toHaveProperty('toolDescription');
		const shown = choices.filter(({ action }) => action === operation.action);
		expect(shown.map((choice) => choice.description)).toEqual([description.split(/\.(?: |$)/)[0]]);
	},
);

it('fields that a model fills in have the names that results have, or are in this list', () => {
	const pairs = webData.properties.flatMap(({ name, default: initial }) =>
		extractFromAICalls(String(initial)).flatMap(({ key }) =>
			key === name ? [] : `${name} ${key}`,
		),
	);

	const listed = ['id paperId', 'jobId scrapeId', 'modelSkip skip', 'query question'];
	expect([...new Set(pairs)].sort()).toEqual(listed);
});
