import type { IBinaryKeyData, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod/v3';
import type { Schema } from './effects';
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
} from './schema';
import type { JsonRecord } from '../values/record';

/** A collection of the editor whose fields are fields of the request. */
export interface Collection {
	name: string;
	displayName: string;
	placeholder: string;
	description?: string;
	displayOptions?: INodeProperties['displayOptions'];
}

/** The choice of another field that a field belongs to. */
export interface Condition {
	field: string;
	value: string | boolean;
}

/** Takes a member out of the editor's values around it, and out of the item's files where it is one. */
export type Read = (values: Readonly<JsonRecord>, files?: IBinaryKeyData) => unknown;

/** A field in the editor. */
interface Placed {
	/** What the editor shows of it; nothing where the field is `hidden`. */
	property?: Omit<INodeProperties, 'name'>;
	/** Further properties that belong to it, with names of their own. */
	extraProperties?: readonly INodeProperties[];
	/** Where the editor shows it; beside the others when left out. */
	collection?: Collection;
	/** Whether it must be filled in. */
	isRequired?: boolean;
	/** When it belongs to the request; always when left out. */
	condition?: Condition;
	/** How it is read, where it is not the value of its own name. */
	read?: Read;
	/** How a blank is treated; left out where nothing is said, or where it is missed anyway. */
	blank?: BlankRule;
}

/**
 * One member of a request: what the editor shows of it, and what the API takes. The builders below make
 * one, and `form` puts several together as the request of an operation.
 */
export interface Field<Value> extends Placed {
	schema: Schema<Value>;
}

/** A field that is no member of the request: others are made of it. */
export interface EditorOnly extends Placed {
	schema?: undefined;
}

/** A field that may be left alone, and is then not sent. */
export interface OptionalField<Value> extends Field<Value | undefined> {
	/** What it takes when it is filled in. */
	valueSchema: Schema<Value>;
}

/** What the editor shows of a field of any kind. */
export interface FieldTexts {
	displayName: string;
	description?: string;
	placeholder?: string;
	hint?: string;
	displayOptions?: INodeProperties['displayOptions'];
	noDataExpression?: boolean;
}

/** What the values of other fields must be for a field to be shown. */
export type DisplayConditions = Record<string, Array<string | boolean>>;

/** A property that is shown only while other fields hold these values, too. */
export const propertyVisibleWhen = <Property extends Pick<INodeProperties, 'displayOptions'>>(
	show: DisplayConditions,
	property: Property,
): Property => ({
	...property,
	displayOptions: { show: { ...show, ...property.displayOptions?.show } },
});

/**
 * A number or switch that is set has a value: most of them bound cost or protect somebody, and without a value
 * would not. One that is blank at first may stay so.
 */
function blankRule({ type, default: initial }: Omit<INodeProperties, 'name'>) {
	if (type !== 'number' && type !== 'boolean') return undefined;
	return initial === '' ? 'refusedUnlessUntouched' : 'refused';
}

/** A field of any kind, for what no builder below says. */
export const field = <Value>(
	property: Field<Value>['property'],
	valueSchema: Schema<Value>,
): OptionalField<Value> => ({
	property,
	schema: valueSchema.optional(),
	valueSchema,
	blank: property && blankRule(property),
});

/**
 * A member without a field in the editor. In a form, only Request (JSON) gives it; in an object or a
 * list, an expression for the whole of it does, too.
 */
export const hidden = <Value>(valueSchema: Schema<Value>): OptionalField<Value> =>
	field(undefined, valueSchema);

/** A field that must be filled in; one of an object only where the object is used. */
export const required = <Value>({ valueSchema, ...rest }: OptionalField<Value>): Field<Value> => ({
	...rest,
	blank: undefined,
	isRequired: true,
	schema: valueSchema,
});

/**
 * A choice, list or group that bounds cost, or protects data or people: where its expression gives no value,
 * that is an error, as it is for every number and switch.
 */
export const guard = <Value>(member: OptionalField<Value>): OptionalField<Value> => ({
	...member,
	blank: /options/i.test(member.property?.type ?? '') ? 'refused' : 'refusedUnlessUntouched',
});

/** A field that is sent as `value` when it is left alone, where the service's own default is another or not known. */
export const withDefault = <Value>(
	{ valueSchema, ...rest }: OptionalField<Value>,
	value: Value,
): Field<Value> => ({ ...rest, schema: valueSchema.default(value) });

/**
 * A field that is no member of the request and is not checked itself, since others are made of it. It is
 * handed on, as `read` takes it, only where what prepares the request makes something of it.
 */
export const editorOnly = (
	{ property, extraProperties }: Pick<Placed, 'property' | 'extraProperties'>,
	read?: Read,
): EditorOnly => ({ property, extraProperties, read });

/** A field that decides over others, is checked as they are, and is no member of the request itself. */
export const notSent = ({ valueSchema, ...rest }: OptionalField<unknown>): Field<undefined> => ({
	...rest,
	schema: valueSchema.optional().transform(() => undefined),
});

/** A field of one choice of another field: it is neither shown nor sent with the others. */
export const onlyFor = <Value>(
	name: string,
	value: string | boolean,
	{ property, ...rest }: OptionalField<Value>,
): OptionalField<Value> => ({
	...rest,
	condition: { field: name, value },
	property: property && { ...property, displayOptions: { show: { [name]: [value] } } },
});

/** A field that must be filled in for one choice of another field: it is neither shown nor sent with the others. */
export const requiredFor = <Value>(name: string, value: string, member: OptionalField<Value>) => ({
	...onlyFor(name, value, member),
	isRequired: true,
});

/** A text. */
export const string = ({
	rows,
	default: initial = '',
	max,
	maxBytes,
	normalize,
	blank,
	...shown
}: FieldTexts & TextLimits & { rows?: number; default?: string }): OptionalField<string> =>
	field(
		{ ...shown, type: 'string', ...(rows && { typeOptions: { rows } }), default: initial },
		stringSchema({ max, maxBytes, normalize, blank }),
	);

/** A number that is blank at first has no default. */
type NumberField = FieldTexts & NumberLimits & { default: number | '' };

const numberField = (
	{ min, max, unit, ...shown }: NumberField,
	schemaOf: (limits: NumberLimits) => Schema<number>,
): OptionalField<number> => {
	const typeOptions = {
		...(min !== undefined && { minValue: min }),
		...(max !== undefined && { maxValue: max }),
	};
	const isBounded = Object.keys(typeOptions).length > 0;
	return field(
		{ ...shown, type: 'number', ...(isBounded && { typeOptions }) },
		schemaOf({ min, max, unit }),
	);
};

/** A whole number; the editor holds it within the same bounds. */
export const integer = (given: NumberField): OptionalField<number> =>
	numberField(given, integerSchema);

/** A number, whole or not. */
export const number = (given: NumberField): OptionalField<number> =>
	numberField(given, numberSchema);

/** A switch. */
export const boolean = ({
	default: initial = false,
	...shown
}: FieldTexts & { default?: boolean }): OptionalField<boolean> =>
	field({ ...shown, type: 'boolean', default: initial }, booleanSchema());

/** A choice, with the word that the API has for it. */
export interface Choice<Word extends string> extends INodePropertyOptions {
	value: Word;
}

type Choices<Word extends string> = [Choice<Word>, ...Array<Choice<Word>>];

const words = <Word extends string>([first, ...others]: Choices<Word>) =>
	oneOfSchema<Word>(first.value, ...others.map(({ value }) => value));

/** One of several words. */
export const oneOf = <const Word extends string>(
	given: FieldTexts & { options: Choices<Word>; default: NoInfer<Word> },
): OptionalField<Word> => field({ ...given, type: 'options' }, words(given.options));

/** What all lists of a request take. */
export interface EmptyRule {
	/** Whether an empty list restricts nothing, and is then not sent. */
	emptyIsUnset?: boolean;
}

/** A field that is a list, however the editor shows it. */
export const listField = <Entry>(
	property: Field<Entry[]>['property'],
	valueSchema: Schema<Entry[]>,
	{ emptyIsUnset = false }: EmptyRule,
): OptionalField<Entry[]> => ({
	...field(property, valueSchema),
	schema: (emptyIsUnset ? unsetIfEmpty(valueSchema) : valueSchema).optional(),
});

/** Any of several words. */
export const anyOf = <const Word extends string>({
	default: initial = [],
	emptyIsUnset,
	...given
}: FieldTexts & EmptyRule & { options: Choices<Word>; default?: Array<NoInfer<Word>> }) =>
	listField(
		{ ...given, type: 'multiOptions', default: initial },
		listSchema(words(given.options)),
		{ emptyIsUnset },
	);

const listProperty = ({ displayName, description, placeholder, hint }: FieldTexts) => ({
	displayName,
	type: 'string' as const,
	default: '',
	...(placeholder !== undefined && { placeholder }),
	...(hint !== undefined && { hint }),
	description,
});

/** A list that is written as text, with commas or on lines of its own. */
export const list = <Entry extends z.ZodTypeAny>({
	entry,
	...given
}: FieldTexts & ListLimits & EmptyRule & { entry: Entry }) =>
	listField<z.output<Entry>>(listProperty(given), listSchema(entry, given), given);
