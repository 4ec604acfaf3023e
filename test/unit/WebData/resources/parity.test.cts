import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod/v3';
import { asRecord } from '../../../../nodes/runtime/output/results';
import type { Values } from '../../../../nodes/runtime/operation/operation';
import {
	settingsContract,
	settingsFields,
	settingsIn,
	waitSettingsFields,
} from '../../../../nodes/runtime/form/options';
import { formatFieldName, settingsOfFormat } from '../../../../nodes/WebData/fields/formatFields';
import { resources } from '../../../../nodes/WebData/resources';
import * as searchTrigger from '../../../../nodes/WebDataSearchTrigger/settings';
import * as trigger from '../../../../nodes/WebDataTrigger/settings';
import { builtNode } from '../../../builtNode.cjs';
import { previewFolder, previewPath } from '../../../docs/previews.cjs';
import { node } from '../../verdict.cjs';
import { longestIn, readerOf, refusalsSince, ruleIn, strangerAlone } from './contractAt.cjs';

/** Fields of the editor, and the contract of the request that is made of them. */
interface Form {
	name: string;
	fields: INodeProperties[];
	read(values: Values): unknown;
	contract: ZodType<unknown, ZodTypeDef, unknown>;
	/** What must be filled in before the rest is looked at. */
	given?: Values;
}

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;
const isCollection = (entry: Entry): entry is INodePropertyCollection => 'values' in entry;
const isOption = (entry: Entry): entry is INodePropertyOptions => 'value' in entry;

const entriesOf = ({ options = [] }: INodeProperties): Entry[] => options;
const valuesOf = (field: INodeProperties) =>
	entriesOf(field).flatMap((entry) => (isOption(entry) ? [String(entry.value)] : []));

const operations = resources.flatMap(({ value, operations: all }) =>
	all.map((operation) => ({ ...operation, name: `${value}: ${operation.value}` })),
);

const monitorId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const ofNewMonitor = ({ name }: INodeProperties) =>
	name === 'additionalFields' || name in trigger.readNewMonitor({}, '');

const forms: Form[] = [
	...operations.map((operation) => ({
		...operation,
		fields: operation.fields.filter(({ name }) => !(name in settingsIn({}))),
		...(operation.name === 'monitor: update' && { given: { monitorId } }),
	})),
	{
		name: "the node's own settings",
		fields: [
			...waitSettingsFields,
			...settingsFields({
				documents: true,
				largeDocuments: true,
				visits: true,
				pages: true,
				answers: true,
				starts: true,
			}),
		],
		read: settingsIn,
		contract: settingsContract,
	},
	{
		name: "the search trigger's own fields",
		fields: searchTrigger.triggerFields,
		read: (values) => values,
		contract: searchTrigger.triggerContract,
	},
	{
		name: "the trigger's new monitor",
		fields: trigger.triggerFields.filter(ofNewMonitor),
		read: (values) => trigger.readNewMonitor(values, ''),
		contract: trigger.newMonitor,
	},
	{
		name: "the trigger's own fields",
		fields: trigger.triggerFields.filter((field) => !ofNewMonitor(field)),
		read: (values) => values,
		contract: trigger.triggerContract,
	},
];

/** Fields that are no member of the request. */
const editorsOwn = new Set([
	'clearFields', // becomes null in its members
	'enabled', // the switch of a whole group
	'inputItems', // how many batches are made
	'monitorId', // part of an update's path
	'refuseUnsignedCalls', // read before anything else of a call
	'output',
	'queryOperators', // become part of the query
	'readPages', // whether scrapeOptions are sent
	'requestJson',
	'returnAll',
	'returnFailed',
	'schemaExample', // becomes the schema
	'schemaType',
	'signatureNotice',
	'wait',
]);

/** Groups that no object reads member by member: this becomes one text. */
const readAsOne = new Set(['tbs']);

/** Members without a field. */
const withoutField = [
	// Data tools have their own resource, and a page refuses them with advice.
	'page: scrape alexandria',
	// The search has its own of the same names, each once in its panel.
	'search: query scrapeOptions location',
	'search: query scrapeOptions threatProtection',
	'search: query scrapeOptions timeout',
	// 'Enterprise' keeps the whole search from storage.
	'search: query scrapeOptions zeroDataRetention',
	// Who asks: for Request (JSON) alone.
	...[
		...['agent: run', 'agent: start', 'batch: run', 'batch: start', 'crawl: run', 'crawl: start'],
		...['file: feedback', 'file: parse', 'map: feedback', 'map: get', 'page: feedback'],
		...['page: scrape', 'search: feedback', 'search: query'],
	].flatMap((name) => [`${name} origin`, `${name} integration`]),
	// No documentation has them.
	'map: get allowExternalLinks',
	'map: get filterByPath',
	'map: get useIndex',
];

/** Members that name what exists: nobody makes up one that is too long. */
const isName = (member: string) =>
	/id$/i.test(member) || ['anchor', 'sources', 'version'].includes(member);

/** Fields beside each other, and the request that their values come into. */
interface Level {
	path: string;
	fields: INodeProperties[];
	request(values: Values): unknown;
	/** Members of the group that stand beside it in the editor. */
	beside?: string[];
	/** How a refusal names a field; by its own name unless told otherwise. */
	told?(name: string): string;
}

/** What the fields beside it must hold for a field to be shown. */
const shownBy = ({ displayOptions }: INodeProperties): Values =>
	Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).flatMap(([name, wanted]) =>
			name.startsWith('/') ? [] : [[name, wanted?.[0]]],
		),
	);

const isFormats = ({ name }: INodeProperties) => name === 'formats';

/** Whether a field is a setting of one of the formats beside it. */
const isOfFormat = ({ displayOptions }: INodeProperties) =>
	displayOptions?.show?.formats !== undefined;

/** The settings of each format that the editor offers, and the entry of the request that they come into. */
const formatsBelow = (level: Level, formats: INodeProperties): Level[] =>
	valuesOf(formats).map((type) => {
		const named = (values: Values) =>
			Object.fromEntries(
				Object.entries(values).map(([name, value]) => [formatFieldName(type, name), value]),
			);
		const request = (entry: Values) =>
			level.request({
				...shownBy(formats),
				...(entry === strangerAlone
					? { formats: [{ type, ...entry }] }
					: { formats: [type], ...named(entry) }),
			});
		const fields = settingsOfFormat(type).filter(({ name }) =>
			level.fields.some((field) => isOfFormat(field) && field.name === formatFieldName(type, name)),
		);
		return {
			path: `${level.path} formats ${type}`,
			fields,
			request,
			told: (name) => formatFieldName(type, name),
		};
	});

const besideScrapeOptions = ['actions', 'formats'];

const isList = ({ typeOptions }: INodeProperties) => typeOptions?.multipleValues === true;

/** Whether a field holds entries: a fixed collection, or a list of collections. */
const hasEntries = (field: INodeProperties) =>
	field.type === 'fixedCollection' || (field.type === 'collection' && isList(field));

const below = (level: Level, field: INodeProperties): Level => ({
	...(field.name === 'scrapeOptions' && {
		beside: level.fields
			.map(({ name }) => name)
			.filter((name) => besideScrapeOptions.includes(name)),
	}),
	path: `${level.path} ${field.name}`,
	fields: entriesOf(field).filter(isProperty),
	request: (values) => level.request({ ...shownBy(field), [field.name]: values }),
});

/** What an entry consists of, and how entries are stored. */
interface EntryKind {
	fields: INodeProperties[];
	stored(entries: Values[]): unknown;
}

const entryKinds = (field: INodeProperties): EntryKind[] =>
	field.type === 'collection'
		? [{ fields: entriesOf(field).filter(isProperty), stored: (entries) => entries }]
		: entriesOf(field)
				.filter(isCollection)
				.map(({ name, values: fields }) => ({
					fields,
					stored: (entries) => ({ [name]: isList(field) ? entries : entries[0] }),
				}));

/** The entries of a field that has some: of one kind, or of each type. */
const entriesBelow = (level: Level, field: INodeProperties): Level[] =>
	entryKinds(field).flatMap(({ fields, stored }) => {
		const path = `${level.path} ${field.name}`;
		const request = (entry: Values) =>
			level.request({ ...shownBy(field), [field.name]: stored([entry]) });
		const types = fields.find((each) => each.name === 'type');
		if (!types) return [{ path, fields, request }];
		return valuesOf(types).map((type) => ({
			path: `${path} ${type}`,
			fields: fields.filter(
				(each) => each !== types && (each.displayOptions?.show?.type ?? [type]).includes(type),
			),
			request: (entry: Values) => request({ ...entry, type }),
		}));
	});

const grouped = (amount: number) => amount.toLocaleString('en-US');

const endless = 'x'.repeat(100_001);
const many = Array.from({ length: 1_001 }, () => '?');

/** What differs between the fields of a form and its contract. */
class Comparison {
	readonly findings: string[] = [];

	constructor(private readonly form: Form) {
		const { read, given, fields } = form;
		this.compare({
			path: form.name,
			fields,
			// What the operation itself would not read still belongs beside what it reads.
			request: (values) => ({
				...asRecord(read({ ...given, ...values })),
				...(values === strangerAlone && values),
			}),
		});
	}

	private compare(level: Level): void {
		const members = Object.keys(this.readerAt(level)?.shape ?? {});
		const fields = this.opened(level).filter(({ field }) => !isOfFormat(field));
		const names = fields.map(({ field }) => field.name);
		const known = [...names, ...(level.beside ?? [])];
		for (const name of members.filter((each) => !known.includes(each))) {
			this.demand(
				withoutField.includes(`${level.path} ${name}`),
				level.path,
				`no field for ${name}`,
			);
		}
		for (const [index, { field, at }] of fields.entries()) {
			const path = `${at.path} ${field.name}`;
			const isBeside =
				besideScrapeOptions.includes(field.name) && members.includes('scrapeOptions');
			const isMember = members.includes(field.name) || isBeside;
			this.demand(names.indexOf(field.name) === index, path, 'is there twice');
			this.demand(isMember || editorsOwn.has(field.name), path, 'is no member');
			if (isFormats(field)) {
				formatsBelow(at, field).forEach((inner) => this.compare(inner));
			} else if (hasEntries(field)) {
				entriesBelow(at, field).forEach((inner) => this.compare(inner));
			} else if (field.type === 'collection' && !readAsOne.has(field.name)) {
				this.compare(below(at, field));
			}
			this.compareRule(at, field, isMember);
		}
	}

	private readerAt(level: Level) {
		return readerOf(this.form.contract, level.request(strangerAlone));
	}

	/** The fields of a level, in the place of a mere group its own: what belongs to the object around it. */
	private opened(level: Level): Array<{ field: INodeProperties; at: Level }> {
		const reader = this.readerAt(level);
		return level.fields.flatMap((field) => {
			const inner = below(level, field);
			const isGroup =
				field.type === 'collection' && !isList(field) && reader && this.readerAt(inner) === reader;
			return isGroup ? this.opened(inner) : [{ field, at: level }];
		});
	}

	private compareRule(level: Level, field: INodeProperties, isMember: boolean): void {
		const { name, type, description = '', typeOptions = {} } = field;
		const beside = shownBy(field);
		const told = level.told?.(name) ?? name;
		const refusalsOf = refusalsSince(this.form.contract, told, level.request(beside));
		const refusals = (value: unknown) => refusalsOf(level.request({ ...beside, [name]: value }));
		const demand = (holds: boolean, finding: string) =>
			this.demand(holds, `${level.path} ${name}`, finding);
		const [kind] = hasEntries(field) ? entryKinds(field) : [];
		const choices = kind?.fields.find((each) => each.name === 'type');
		const one = (word: string) => {
			if (choices) return kind?.stored([{ type: word }]);
			return type === 'multiOptions' ? [word] : word;
		};
		const rule = ruleIn(refusals(one('?')));
		const isTaken = (word: string) =>
			!refusals(one(word)).some((words) => /^(must be one of|takes no) /.test(words));
		const offered = valuesOf(choices ?? field);
		for (const word of isMember ? offered.filter((each) => !isTaken(each)) : []) {
			demand(false, `offers ${word}, which is refused`);
		}
		for (const word of rule.words?.filter((each) => !offered.includes(each) && isTaken(each)) ??
			[]) {
			demand(false, `does not offer ${word}`);
		}
		for (const simple of ['boolean', 'number'] as const) {
			const isListOfNumbers = type === 'string' && simple === 'number';
			const isOther = !isMember || type === 'collection' || isListOfNumbers;
			demand(isOther || (type === simple) === (rule.kind === simple), `takes a ${rule.kind}`);
		}
		if (type === 'number') {
			const { min, max, unit } = rule;
			demand(typeOptions.minValue === min, `takes from ${min}`);
			demand(typeOptions.maxValue === max, `takes up to ${max}`);
			demand(
				max === undefined || description.includes(grouped(max)),
				`does not name its most, ${max}`,
			);
			demand(
				unit === undefined || description.toLowerCase().includes(unit.toLowerCase()),
				`does not name its unit, ${unit}`,
			);
		}
		const tooMuch = kind ? [kind.stored(many.map(() => ({})))] : [endless, many, [endless]];
		const isWritten = kind !== undefined || (type === 'string' && !isName(name));
		for (const most of isWritten ? longestIn(tooMuch.flatMap(refusals)) : []) {
			demand(description.includes(grouped(most)), `does not name its most, ${most}`);
		}
	}

	private demand(holds: boolean, path: string, finding: string): void {
		if (!holds) this.findings.push(`${path}: ${finding}`);
	}
}

it.each(forms)(
	'$name: the fields and the contract have the same members, choices and limits',
	(form) => {
		expect(new Comparison(form).findings).toEqual([]);
	},
);

/** A field with all that it holds. */
const withInner = (field: INodeProperties): INodeProperties[] => [
	field,
	...entriesOf(field)
		.flatMap((entry) => (isCollection(entry) ? entry.values : entry))
		.filter(isProperty)
		.flatMap(withInner),
];

it.each(forms)(
	'$name: a request with lists of entries can be given as JSON too',
	({ fields, contract, read, given }) => {
		const all = fields.flatMap(withInner);
		const json = all.find(({ name }) => name === 'requestJson');
		expect(json !== undefined).toBe(all.some(hasEntries));
		const asJson = (members: object) =>
			read({ ...given, additionalFields: { requestJson: members } });
		if (json) expect(readerOf(contract, asJson(strangerAlone))).toBeDefined();
	},
);

/** Text as sentences: a period ends one unless what follows goes on in small letters. */
const sentences = (text: string) => text.split(/[.!?](?:\s+(?=[A-Z0-9])|$)/).filter(Boolean);

const { description: webData } = builtNode('WebData');

describe.each(operations)('$name', ({ name, action, description }) => {
	it('has an action of its own, in six words at the most', () => {
		expect(action).toMatch(/^[A-Z][^.]+$/);
		expect(action.split(' ').length).toBeLessThanOrEqual(6);
		expect(operations.filter((other) => other.action === action)).toHaveLength(1);
	});

	it('tells an AI model when to use it, what it returns and what it costs, in two or three short sentences', () => {
		expect(sentences(description).length).toBeGreaterThanOrEqual(2);
		expect(sentences(description).length).toBeLessThanOrEqual(3);
		expect(description.length).toBeLessThanOrEqual(320);
		expect(description).toMatch(/\breturns?\b/i);
		expect(description).toMatch(/\b(credits?|free|charged)\b/i);
	});

	it('has a preview of its items', () => {
		const [resource, operation] = name.split(': ');
		expect(existsSync(join(previewFolder, previewPath({ resource, operation })))).toBe(true);
	});

	it('tells it to the model when the node is its tool, and does not show it otherwise', () => {
		const [resource, operation] = name.split(': ');
		const parametersOf = (type: INodeTypeDescription): INode['parameters'] =>
			NodeHelpers.getNodeParameters(
				type.properties,
				{ resource, operation },
				true,
				false,
				node,
				type,
			) ?? {};
		const tool = { ...webData, name: `${webData.name}Tool` };

		const parameters = parametersOf(tool);
		const told = NodeHelpers.getToolDescriptionForNode(
			{ ...node, parameters },
			{ description: tool },
		);

		expect(told).toBe(description);
		expect(parametersOf(webData)).not.toHaveProperty('toolDescription');
	});
});

/** Every field of the editor by the way to it, those inside others too. */
const everyField = [
	...operations,
	{ name: 'search trigger', fields: searchTrigger.triggerFields },
	{ name: 'trigger', fields: trigger.triggerFields },
].flatMap(({ name, fields }) => fields.flatMap(withInner).map((field) => ({ name, field })));

const wordsOf = (text: string) =>
	(text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => word.replace(/s$/, ''));

/** Words that say nothing by themselves. */
const filler = new Set(wordsOf('a an the of to for in by or and whether this its'));

const measures =
	/\b(milliseconds|seconds|minutes|days|credits|characters|pixels|how many|how often|number of|pages|results|calls|links|stars|size|score|file)\b/i;

describe('the words of the editor', () => {
	it('say what a number counts, or in which unit', () => {
		const unclear = everyField.filter(
			({ field: { type, description = '' } }) => type === 'number' && !measures.test(description),
		);
		expect(
			unclear.map(({ name, field }) => `${name} ${field.displayName}: ${field.description}`),
		).toEqual([]);
	});

	it('say more than the name says already', () => {
		const empty = everyField.filter(({ field: { displayName, description } }) => {
			if (description === undefined) return false;
			const known = new Set([...wordsOf(displayName), ...filler]);
			return wordsOf(description).every((word) => known.has(word));
		});
		expect(
			empty.map(({ name, field }) => `${name} ${field.displayName}: ${field.description}`),
		).toEqual([]);
	});
});
