import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';
import { isUnset, listSchema } from '../../runtime/form/schema';
import type { Values } from '../../runtime/operation/operation';
import { formatFieldName, settingsOfFormat } from './formatFields';
import { isStartExample } from './jsonSchema';

const anyList = listSchema(z.unknown());

/** What is chosen of several, also where an expression gives it as text; undefined where that is no list. */
const chosenIn = (value: unknown): unknown[] | undefined =>
	isUnset(value) ? [] : anyList.safeParse(value).data;

/** Whether the editor shows a setting beside the others; it shows all of them while the formats are an expression. */
const isShown = ({ displayOptions }: INodeProperties, stored: Values) =>
	Object.entries(displayOptions?.show ?? {}).every(
		([name, wanted]) =>
			stored[name] === undefined ||
			chosenIn(stored[name])?.some((each) => wanted?.some((one) => one === each)),
	);

/** Whether a setting that the editor shows from the start was left as it is, and so asks for nothing. */
const isLeftAlone = ({ name, type, default: initial }: INodeProperties, stored: Values) =>
	name === 'schemaExample'
		? isStartExample(stored.schemaExample) && !isUnset(stored.prompt)
		: type === 'boolean' && stored[name] === initial;

/** A format by its name, with its settings from the fields beside the choice. */
function entryOf(type: string, values: Values): unknown {
	const settings = settingsOfFormat(type);
	if (settings.length === 0) return type;
	const stored = Object.fromEntries(
		settings.map(({ name }) => [name, values[formatFieldName(type, name)]]),
	);
	const members = settings
		.filter(
			(field) =>
				stored[field.name] !== undefined && isShown(field, stored) && !isLeftAlone(field, stored),
		)
		.map(({ name }) => [name, stored[name]]);
	return { type, ...Object.fromEntries(members) };
}

/** Formats as the editor stores them: their names, and fields beside them. An expression may give entries in the API's own shape among the names. */
export class ChosenFormats {
	private readonly chosen: unknown;

	constructor(private readonly values: Values) {
		this.chosen = chosenIn(values.formats) ?? values.formats;
	}

	/** Whether they are what the editor shows at first: markdown alone, which nothing stands for, too. */
	get isUntouched(): boolean {
		return Array.isArray(this.chosen) && this.chosen.every((each) => each === 'markdown');
	}

	/** The formats as the API takes them; what is no list stays as it is. */
	get entries(): unknown {
		const { chosen, values } = this;
		if (!Array.isArray(chosen)) return chosen;
		return chosen.map((each: unknown) => (typeof each === 'string' ? entryOf(each, values) : each));
	}

	/** The way to the editor's field for a place in the entries, from the choice of formats on. */
	fieldAt(path: Array<string | number>): Array<string | number> {
		const [index, member, ...rest] = path;
		const type: unknown = Array.isArray(this.chosen) ? this.chosen[Number(index)] : undefined;
		if (typeof type !== 'string' || typeof member !== 'string') return path;
		if (member === 'type') return [index];
		const names = settingsOfFormat(type).map(({ name }) => name);
		if (names.includes(member)) return [formatFieldName(type, member), ...rest];
		return names.includes('options') ? [formatFieldName(type, 'options'), member, ...rest] : path;
	}
}
