import type { IBinaryKeyData, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod/v3';
import {
	oneOfSchema,
	numberSchema,
	booleanSchema,
	listSchema,
	unsetIfEmpty,
	stringSchema,
	integerSchema,
	type BlankRule,
	type ListLimits,
	type NumberLimits,
	type TextLimits,
	type Schema,
} from './schema';
import type { JsonRecord } from '../values/record';
import { withUnit } from '../values/text';

/** A collection in the editor whose fields are fields of the request. */
export interface Collection {
	name: string;
	displayName: string;
	placeholder: string;
	description?: string;
	displayOptions?: INodeProperties['displayOptions'];
}

/** The value of another field that a field depends on. */
export interface Condition {
	field: string;
	value: string | boolean;
}

/** Reads a field from the editor's values, or from the item's files. */
export type Read = (values: Readonly<JsonRecord>, files?: IBinaryKeyData) => unknown;

/** A field in the editor. */
interface Placed {
	/** Property in the editor; undefined for a `hidden` field. */
	property?: Omit<INodeProperties, 'name'>;
	/** More properties of the field, with names of their own. */
	extraProperties?: readonly INodeProperties[];
	/** Collection that contains it; none by default. */
	collection?: Collection;
	/** Whether a value is required. */
	isRequired?: boolean;
	/** Condition for being part of the request; always by default. */
	condition?: Condition;
	/** Reads its value; by default the value of its own name. */
	read?: Read;
	/** Rule for a blank value; by default a blank is omitted, or missing if required. */
	blank?: BlankRule;
}

/** One field of a request: its property in the editor and its schema. The builders below create one. */
export interface Field<Value> extends Placed {
	schema: Schema<Value>;
}

/** A field that only the editor has; other fields derive from it. */
export interface EditorOnly extends Placed {
	schema?: undefined;
}

/** A field that is not sent if it is unset. */
export interface OptionalField<Value> extends Field<Value | undefined> {
	/** Schema of a set value. */
	valueSchema: Schema<Value>;
}

/** What a field has in the editor beside its label and description. */
export interface Shown {
	placeholder?: string;
	hint?: string;
	displayOptions?: INodeProperties['displayOptions'];
	noDataExpression?: boolean;
}

/** Values of other fields for which a field is shown. */
export type DisplayConditions = Record<string, Array<string | boolean>>;

/** Adds to the values of other fields for which a property is shown. */
export const propertyVisibleWhen = <Property extends Pick<INodeProperties, 'displayOptions'>>(
	show: DisplayConditions,
	property: Property,
): Property => ({
	...property,
	displayOptions: { show: { ...show, ...property.displayOptions?.show } },
});

/** Rejects blank numbers and switches, which limit costs or protect data, unless blank is their default. */
function blankRule({ type, default: initial }: Omit<INodeProperties, 'name'>) {
	if (type !== 'number' && type !== 'boolean') return undefined;
	return initial === '' ? 'rejectedUnlessUntouched' : 'rejected';
}

/** Creates a field of any kind, for cases without a builder below. */
export const field = <Value>(
	property: Field<Value>['property'],
	valueSchema: Schema<Value>,
): OptionalField<Value> => ({
	property,
	schema: valueSchema.optional(),
	valueSchema,
	blank: property && blankRule(property),
});

/** Creates a field without a property in the editor: *Request (JSON)* or an expression sets it. */
export const hidden = <Value>(valueSchema: Schema<Value>): OptionalField<Value> =>
	field(undefined, valueSchema);

/** Requires a value; for a field of an object only if the object is used. */
export const required = <Value>({ valueSchema, ...rest }: OptionalField<Value>): Field<Value> => ({
	...rest,
	blank: undefined,
	isRequired: true,
	schema: valueSchema,
});

/** Sends the editor's default if the field is unset, because the service's differs or is unknown. */
export const withDefault = <Value>({
	valueSchema,
	...rest
}: OptionalField<Value>): Field<Value> => ({
	...rest,
	schema: valueSchema.default(rest.property?.default),
});

/** Creates a field of the editor, not validated; `read` gives it to what prepares the request. */
export const editorOnly = (
	{ property, extraProperties }: Pick<Placed, 'property' | 'extraProperties'>,
	read?: Read,
): EditorOnly => ({ property, extraProperties, read });

/** Creates a field that is validated, but not sent; other fields depend on it. */
export const notSent = ({ valueSchema, ...rest }: OptionalField<unknown>): Field<undefined> => ({
	...rest,
	schema: valueSchema.optional().transform(() => undefined),
});

/** Shows and sends a field only for one value of another field. */
export const onlyFor = <Value>(
	name: string,
	value: string | boolean,
	{ property, ...rest }: OptionalField<Value>,
): OptionalField<Value> => ({
	...rest,
	condition: { field: name, value },
	property: property && { ...property, displayOptions: { show: { [name]: [value] } } },
});

/** Shows, requires and sends a field only for one value of another field. */
export const requiredFor = <Value>(name: string, value: string, given: OptionalField<Value>) => ({
	...onlyFor(name, value, given),
	isRequired: true,
});

/** Creates a field for text that a schema reads, such as a URL or a list. */
export const textField = <Value>(
	displayName: string,
	description: string,
	valueSchema: Schema<Value>,
	{ rows, default: initial = '', ...shown }: Shown & { rows?: number; default?: string } = {},
): OptionalField<Value> =>
	field(
		{
			displayName,
			description,
			...shown,
			type: 'string',
			...(rows && { typeOptions: { rows } }),
			default: initial,
		},
		valueSchema,
	);

/** Creates a field for JSON, with an example as hint. */
export const jsonField = <Value>(
	displayName: string,
	description: string,
	valueSchema: Schema<Value>,
	shown: Shown & { hint: string; default?: string },
): OptionalField<Value> =>
	// The editor marks an empty text as invalid JSON.
	field({ default: '{}', displayName, description, ...shown, type: 'json' }, valueSchema);

/** Creates a text field. */
export const string = (
	displayName: string,
	description: string,
	given: Shown & TextLimits & { rows?: number; default?: string } = {},
): OptionalField<string> => {
	const { max, maxBytes, normalize, blank, isCode, ...shown } = given;
	const valueSchema = stringSchema({ max, maxBytes, normalize, blank, isCode });
	return textField(displayName, description, valueSchema, shown);
};

/** Options of a number field; `''` means no default. */
type NumberField = Shown & NumberLimits & { default: number | '' };

const numberField =
	(schemaOf: (limits: NumberLimits) => Schema<number>) =>
	(
		label: string,
		description: string,
		{ min, max, unit, ...shown }: NumberField,
	): OptionalField<number> => {
		const typeOptions = {
			...(min !== undefined && { minValue: min }),
			...(max !== undefined && { maxValue: max }),
		};
		const displayName = withUnit(label, unit);
		return field(
			{ displayName, description, ...shown, type: 'number', typeOptions },
			schemaOf({ min, max, unit }),
		);
	};

/** Creates a field for a whole number, with the same bounds in the editor. */
export const integer = numberField(integerSchema);

/** Creates a field for any number. */
export const number = numberField(numberSchema);

/** Creates a switch. */
export const boolean = (
	displayName: string,
	description: string,
	{ default: initial = false, ...shown }: Shown & { default?: boolean } = {},
): OptionalField<boolean> =>
	field({ displayName, description, ...shown, type: 'boolean', default: initial }, booleanSchema());

/** Choices by their value in the API: the name in the editor, or name and description. */
export type Choices<Word extends string> = Readonly<
	Record<Word, string | readonly [name: string, description: string]>
>;

/** The values of choices. */
const valuesOf = <Word extends string>(choices: Choices<Word>): Word[] =>
	Object.keys(choices).filter((value): value is Word => value in choices);

/** The options of the editor for choices. */
export const optionsOf = (choices: Choices<string>): INodePropertyOptions[] =>
	Object.entries(choices).map(([value, shown]) => {
		const [name, description] = typeof shown === 'string' ? [shown] : shown;
		return { name, value, ...(description !== undefined && { description }) };
	});

/** Creates a field for one of several values. */
export const oneOf = <const Word extends string>(
	displayName: string,
	description: string,
	{ options, ...shown }: Shown & { options: Choices<Word>; default: NoInfer<Word> },
): OptionalField<Word> =>
	field(
		{ displayName, description, ...shown, type: 'options', options: optionsOf(options) },
		oneOfSchema(...valuesOf(options)),
	);

/** Rule for empty lists. */
export interface EmptyRule {
	/** Whether an empty list restricts nothing, and is then not sent. */
	emptyIsUnset?: boolean;
}

/** Creates a field for a list, with any property in the editor. */
export const listField = <Entry>(
	property: Field<Entry[]>['property'],
	valueSchema: Schema<Entry[]>,
	{ emptyIsUnset = false }: EmptyRule,
): OptionalField<Entry[]> => ({
	...field(property, valueSchema),
	schema: (emptyIsUnset ? unsetIfEmpty(valueSchema) : valueSchema).optional(),
});

/** Creates a field for any of several values that a schema reads, because servers may have others. */
export const anyKnown = <Value>(
	displayName: string,
	description: string,
	valueSchema: Schema<Value>,
	{
		options,
		...shown
	}: Shown & { options: Choices<string>; default?: string[]; required?: boolean },
): OptionalField<Value> => {
	const property = { default: [], displayName, description, ...shown, options: optionsOf(options) };
	return field({ ...property, type: 'multiOptions' }, valueSchema);
};

/** Creates a field for any of several values. */
export const anyOf = <const Word extends string>(
	displayName: string,
	description: string,
	{
		emptyIsUnset,
		...given
	}: Shown & EmptyRule & { options: Choices<Word>; default?: Array<NoInfer<Word>> },
) => {
	const valueSchema = listSchema(oneOfSchema(...valuesOf(given.options)));
	const { property } = anyKnown(displayName, description, valueSchema, given);
	return listField(property, valueSchema, { emptyIsUnset });
};

/** Creates a field for a list that users write as text, separated by commas or new lines. */
export const list = <Entry extends z.ZodTypeAny>(
	displayName: string,
	description: string,
	{ entry, emptyIsUnset, ...given }: Shown & ListLimits & EmptyRule & { entry: Entry },
) => {
	const { min, max, normalize, separate, ...shown } = given;
	return listField<z.output<Entry>>(
		{ displayName, description, ...shown, type: 'string', default: '' },
		listSchema(entry, { min, max, normalize, separate }),
		{ emptyIsUnset },
	);
};
