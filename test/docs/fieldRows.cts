import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

/** A field in the reference's table: its cells, in Markdown. */
export interface FieldRow {
	/** Display name, after those of the groups that it is in. */
	field: string;
	/** Name in saved workflows and expressions. */
	parameter: string;
	type: string;
	initial: string;
	/** Sentences. */
	about: string[];
	/** What can be chosen, one line each. */
	choices: string[];
}

type Option = NonNullable<INodeProperties['options']>[number];

const isChoice = (option: Option): option is INodePropertyOptions => 'value' in option;
const isCollection = (option: Option): option is INodePropertyCollection => 'values' in option;
const isField = (option: Option): option is INodeProperties =>
	'type' in option && !isChoice(option) && !isCollection(option);

/** Whether a field holds other fields. */
export const isGroup = ({ type }: Pick<INodeProperties, 'type'>): boolean =>
	type === 'collection' || type === 'fixedCollection';

/** Text as it is, where Markdown would take some of it as its own. */
export const plain = (text: string): string =>
	text.replace(/[\\|*<]/g, '\\$&').replace(/\s+/g, ' ');

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const typeNames: Partial<Record<INodeProperties['type'], string>> = {
	boolean: 'yes or no',
	collection: 'group',
	dateTime: 'date',
	fixedCollection: 'group',
	json: 'JSON',
	multiOptions: 'choices',
	options: 'choice',
	resourceLocator: 'pick or ID',
	resourceMapper: 'a field for each option of what is picked',
	string: 'text',
};

function range({ minValue: min, maxValue: max }: NonNullable<INodeProperties['typeOptions']>) {
	const [least, most] = [min, max].map((bound) => bound?.toLocaleString('en'));
	if (least === undefined) return most === undefined ? [] : [`at most ${most}`];
	return [most === undefined ? `at least ${least}` : `${least} to ${most}`];
}

function typeOf({ type, typeOptions = {}, required }: INodeProperties): string {
	const name = typeNames[type] ?? type;
	return [
		isGroup({ type }) && typeOptions.multipleValues ? 'list of groups' : name,
		...range(typeOptions),
		...(required ? ['**required**'] : []),
	].join(', ');
}

const choicesOf = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter(isChoice);

function initialOf(field: INodeProperties): string {
	const { default: initial } = field;
	if (typeof initial === 'boolean') return initial ? 'yes' : 'no';
	if (initial === '' || initial === null || isGroup(field) || field.type.startsWith('resource')) {
		return '';
	}
	if (Array.isArray(initial)) return initial.map((each) => code(String(each))).join(', ');
	const text = typeof initial === 'object' ? JSON.stringify(initial) : String(initial);
	if (text.includes('$fromAI(')) return 'filled in by the model';
	return code(text.replace(/\s+/g, ' '));
}

function choiceLine({ name, value, description }: INodePropertyOptions): string {
	return `${code(String(value))} ${plain(name)}${description ? `: ${plain(description)}` : ''}`;
}

/** When a field is shown, by the display names of those that decide it. */
function conditions(shown: IDisplayOptions['show'], around: INodeProperties[]): string[] {
	return Object.entries(shown ?? {}).map(([name, values = []]) => {
		const other = around.find((field) => field.name === name.replace('/', ''));
		const choices = other ? choicesOf(other) : [];
		const words = values.flatMap((value) => {
			if (typeof value === 'boolean') return value ? 'yes' : 'no';
			return choices.find((each) => each.value === value)?.name ?? [];
		});
		return `*${plain(other?.displayName ?? name)}* is ${plain(words.join(' or '))}`;
	});
}

/** A sentence for every text that does not end as one. */
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function aboutOf(field: INodeProperties, around: INodeProperties[]): string[] {
	const { show } = field.displayOptions ?? {};
	const { resource: _resource, operation: _operation, '@tool': tool, ...own } = show ?? {};
	const when = conditions(own, around);
	return [
		...(field.description ? [sentence(plain(field.description))] : []),
		...(when.length > 0 ? [`Only when ${when.join(' and ')}.`] : []),
		...(tool === undefined ? [] : ['Only as a tool.']),
	];
}

/** What a group holds, with the names of the parts that it has when these are several. */
function membersOf({
	options = [],
}: INodeProperties): Array<{ part?: string; fields: INodeProperties[] }> {
	const collections = options.filter(isCollection);
	const parts = collections.map(({ displayName, values }) => ({
		...(collections.length > 1 && { part: displayName }),
		fields: values,
	}));
	return [...parts, { fields: options.filter(isField) }];
}

/** Describes a group elsewhere: what to say in its place, such as a link; undefined to describe it here. */
export type Elsewhere = (group: INodeProperties) => string | undefined;

/** The rows of fields that stand side by side, those in groups after their group. */
export function rowsOf(
	fields: INodeProperties[],
	elsewhere: Elsewhere,
	{ root = fields, within = [] }: { root?: INodeProperties[]; within?: string[] } = {},
): FieldRow[] {
	return fields
		.filter(({ type, isNodeSetting }) => type !== 'notice' && isNodeSetting !== true)
		.flatMap((field) => {
			const path = [...within, field.displayName];
			const link = isGroup(field) ? elsewhere(field) : undefined;
			// A choice with fields of its own, such as that of formats, is the first member of its group.
			const choice = isGroup(field)
				? membersOf(field).flatMap((members) =>
						members.fields.filter((each) => each.name === field.name),
					)
				: [];
			const [own = field] = choice;
			const row: FieldRow = {
				field: path.map(plain).join(' › '),
				parameter: code(field.name),
				type: typeOf(own),
				initial: initialOf(own),
				about: [...aboutOf(field, [...fields, ...root]), ...(link ? [link] : [])],
				choices: choicesOf(field).map(choiceLine),
			};
			if (!isGroup(field) || link !== undefined) return [row];
			const members = membersOf(field).flatMap(({ part, fields: inner }) =>
				rowsOf(inner, elsewhere, { root, within: [...path, ...(part ? [part] : [])] }),
			);
			return [row, ...members];
		});
}

/** The rows of what a group holds, without itself. */
export const memberRows = (group: INodeProperties, elsewhere: Elsewhere): FieldRow[] =>
	membersOf(group).flatMap(({ part, fields }) =>
		rowsOf(fields, elsewhere, { within: part ? [part] : [] }),
	);

/** Every group below fields, the groups within groups too. */
export const groupsIn = (fields: INodeProperties[]): INodeProperties[] =>
	fields
		.filter(isGroup)
		.flatMap((group) => [
			group,
			...groupsIn(membersOf(group).flatMap((members) => members.fields)),
		]);

/** A table of fields. */
export function fieldTable(rows: FieldRow[]): string {
	const line = (...cells: string[]): string => `| ${cells.join(' | ')} |`;
	return [
		line('Field', 'Parameter', 'Type', 'Default', 'What it is for'),
		line('---', '---', '---', '---', '---'),
		...rows.map(({ field, parameter, type, initial, about, choices }) =>
			line(
				field,
				parameter,
				type,
				initial,
				[...(about.length > 0 ? [about.join(' ')] : []), ...choices].join('<br>'),
			),
		),
	].join('\n');
}
