import type { IBinaryKeyData, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod/v3';
import type { Schema } from './effects';
import {
	oneOfSchema,
	filterSchema,
	numberSchema,
	booleanSchema,
	listSchema,
	stringSchema,
	integerSchema,
	type BlankRule,
	type ListLimits,
	type NumberLimits,
	type TextLimits,
} from './schema';
import type { JsonRecord } from '../values/record';

/** A collection of the editor whose members are members of the request. */
export interface Group {
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
	/** Whether the field must be filled in then. */
	isRequired: boolean;
}

/** Takes a member out of the editor's values around it, and out of the item's files where it is one. */
export type Read = (values: Readonly<JsonRecord>, files?: IBinaryKeyData) => unknown;

/** A field in the editor. */
interface Placed {
	/** What the editor shows of it; nothing where the field is `hidden`. */
	property?: Omit<INodeProperties, 'name'>;
	/** Further properties that belong to it, with names of their own. */
	beside?: readonly INodeProperties[];
	/** Where the editor shows it; beside the others when left out. */
	group?: Group;
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
	given: Schema<Value>;
}

/** What the editor shows of a field of any kind. */
export interface Shown {
	displayName: string;
	description?: string;
	placeholder?: string;
	hint?: string;
	displayOptions?: INodeProperties['displayOptions'];
	noDataExpression?: boolean;
}

/** What the values of other fields must be for a field to be shown. */
export type Show = Record<string, Array<string | boolean>>;

/** A property that is shown only while other fields hold these values, too. */
export const shownWith = <Property extends Pick<INodeProperties, 'displayOptions'>>(
	show: Show,
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
	given: Schema<Value>,
): OptionalField<Value> => ({
	property,
	schema: given.optional(),
	given,
	blank: property && blankRule(property),
});

/**
 * A member without a field in the editor. In a form, only Request (JSON) gives it; in an object or a
 * list, an expression for the whole of it does, too.
 */
export const hidden = <Value>(given: Schema<Value>): OptionalField<Value> =>
	field(undefined, given);

/** A field that must be filled in. A choice always is, so the editor does not mark it. */
export const required = <Value>({
	given,
	property,
	...rest
}: OptionalField<Value>): Field<Value> => ({
	...rest,
	blank: undefined,
	property: property && (property.type === 'options' ? property : { ...property, required: true }),
	schema: given,
});

/** A field that must be filled in where its group is used: the editor marks no field in a group. */
export const needed = <Value>({ given, ...rest }: OptionalField<Value>): Field<Value> => ({
	...rest,
	blank: undefined,
	schema: given,
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
	{ given, ...rest }: OptionalField<Value>,
	value: Value,
): Field<Value> => ({ ...rest, schema: given.default(value) });

/**
 * A field that is no member of the request and is not checked itself, since others are made of it. It is
 * handed on, as `read` takes it, only where what prepares the request makes something of it.
 */
export const editorOnly = (
	{ property, beside }: Pick<Placed, 'property' | 'beside'>,
	read?: Read,
): EditorOnly => ({ property, beside, read });

/** A field that decides over others, is checked as they are, and is no member of the request itself. */
export const notSent = ({ given, ...rest }: OptionalField<unknown>): Field<undefined> => ({
	...rest,
	schema: given.optional().transform(() => undefined),
});

function conditional<Value>(
	{ property, ...rest }: OptionalField<Value>,
	condition: Condition,
): OptionalField<Value> {
	const displayOptions = { show: { [condition.field]: [condition.value] } };
	const { isRequired } = condition;
	return {
		...rest,
		condition,
		property: property && { ...property, ...(isRequired && { required: true }), displayOptions },
	};
}

/** A field of one choice of another field: it is neither shown nor sent with the others. */
export const onlyFor = <Value>(
	name: string,
	value: string | boolean,
	member: OptionalField<Value>,
) => conditional(member, { field: name, value, isRequired: false });

/** A field that must be filled in for one choice of another field: it is neither shown nor sent with the others. */
export const requiredFor = <Value>(name: string, value: string, member: OptionalField<Value>) =>
	conditional(member, { field: name, value, isRequired: true });

/** A text. */
export const string = ({
	rows,
	default: initial = '',
	max,
	maxBytes,
	normalize,
	blank,
	...shown
}: Shown & TextLimits & { rows?: number; default?: string }): OptionalField<string> =>
	field(
		{ ...shown, type: 'string', ...(rows && { typeOptions: { rows } }), default: initial },
		stringSchema({ max, maxBytes, normalize, blank }),
	);

/** A number that is blank at first has no default. */
type NumberField = Shown & NumberLimits & { default: number | '' };

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
}: Shown & { default?: boolean }): OptionalField<boolean> =>
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
	given: Shown & { options: Choices<Word>; default: NoInfer<Word> },
): OptionalField<Word> => field({ ...given, type: 'options' }, words(given.options));

/** Any of several words; none of them restricts nothing, and is not sent. */
export const anyOf = <const Word extends string>(given: Shown & { options: Choices<Word> }) =>
	field({ ...given, type: 'multiOptions', default: [] }, filterSchema(words(given.options)));

/** Several words, of which none is an answer, too. */
export const several = <const Word extends string>({
	default: initial,
	...given
}: Shown & { options: Choices<Word>; default: Array<NoInfer<Word>> }) =>
	field({ ...given, type: 'multiOptions', default: initial }, listSchema(words(given.options)));

type ListField<Entry extends z.ZodTypeAny> = Shown & ListLimits & { entry: Entry };

const listProperty = ({ displayName, description, placeholder, hint }: Shown) => ({
	displayName,
	type: 'string' as const,
	default: '',
	...(placeholder !== undefined && { placeholder }),
	...(hint !== undefined && { hint }),
	description,
});

/** A list that is written as text, with commas or on lines of its own. */
export const list = <Entry extends z.ZodTypeAny>({ entry, ...given }: ListField<Entry>) =>
	field(listProperty(given), listSchema(entry, given));

/** A list that restricts nothing when it is empty, and is then not sent. */
export const filter = <Entry extends z.ZodTypeAny>({ entry, ...given }: ListField<Entry>) =>
	field(listProperty(given), filterSchema(entry, given));
