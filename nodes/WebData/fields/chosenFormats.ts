import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';
import { isUnset, listSchema } from '../../runtime/form/schema';
import type { Values } from '../../runtime/operation/operation';
import { formatFieldName, settingsOfFormat } from './formatFields';

const anyList = listSchema(z.unknown());

/** The chosen options, also from an expression's text; undefined if that is no list. */
const chosenIn = (value: unknown): unknown[] | undefined =>
	isUnset(value) ? [] : anyList.safeParse(value).data;

/** Whether the editor shows a setting; it shows all of them while the formats are an expression. */
const isShown = ({ displayOptions }: INodeProperties, stored: Values) =>
	Object.entries(displayOptions?.show ?? {}).every(
		([name, wanted]) =>
			stored[name] === undefined ||
			chosenIn(stored[name])?.some((each) => wanted?.some((one) => one === each)),
	);

/** Whether a switch that is always shown has its default, and therefore is not sent. */
const isLeftAlone = ({ name, type, default: initial }: INodeProperties, stored: Values) =>
	type === 'boolean' && stored[name] === initial;

/** A format by its name, with its settings from the editor's fields. */
function entryOf(type: string, values: Values): unknown {
	const settings = settingsOfFormat(type);
	if (settings.length === 0) return type;
	const stored = Object.fromEntries(
		settings.map(({ name }) => [name, values[formatFieldName(type, name)]]),
	);
	const fields = settings
		.filter(
			(field) =>
				stored[field.name] !== undefined && isShown(field, stored) && !isLeftAlone(field, stored),
		)
		.map(({ name }) => [name, stored[name]]);
	return { type, ...Object.fromEntries(fields) };
}

/**
 * Formats as the editor stores them: their names, and separate fields. An expression may add
 * entries in the API's form to the names.
 */
export class ChosenFormats {
	private readonly chosen: unknown;

	constructor(private readonly values: Values) {
		this.chosen = chosenIn(values.formats) ?? values.formats;
	}

	/** Whether they are the editor's default: markdown only, or nothing. */
	get isUntouched(): boolean {
		return Array.isArray(this.chosen) && this.chosen.every((each) => each === 'markdown');
	}

	/** The formats in the API's form; anything but a list stays unchanged. */
	get entries(): unknown {
		const { chosen, values } = this;
		if (!Array.isArray(chosen)) return chosen;
		return chosen.map((each: unknown) => (typeof each === 'string' ? entryOf(each, values) : each));
	}

	/**
	 * The path of the editor's field for a path in the entries, starting at the choice of formats.
	 */
	fieldAt(path: Array<string | number>): Array<string | number> {
		const [index, field, ...rest] = path;
		const type: unknown = Array.isArray(this.chosen) ? this.chosen[Number(index)] : undefined;
		if (typeof type !== 'string' || typeof field !== 'string') return path;
		if (field === 'type') return [index];
		const names = settingsOfFormat(type).map(({ name }) => name);
		if (names.includes(field)) return [formatFieldName(type, field), ...rest];
		return names.includes('options') ? [formatFieldName(type, 'options'), field, ...rest] : path;
	}
}
