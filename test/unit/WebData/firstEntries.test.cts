import type { INodeProperties } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod/v3';
import type { Field } from '../../../nodes/runtime/form/field';
import { propertiesOf } from '../../../nodes/runtime/form/form';
import { newTargets, notification, schedule } from '../../../nodes/WebData/fields/monitor';
import { location, profile, scrapeOptionGroup } from '../../../nodes/WebData/fields/scrapeOptions';
import { tbs } from '../../../nodes/WebData/fields/time';
import { documentWebhook } from '../../../nodes/WebData/fields/webhook';
import { resources } from '../../../nodes/WebData/resources';
import { triggerFields } from '../../../nodes/WebDataTrigger/settings';
import { accepted, refusals } from '../schemaAssertions.cjs';

const isGroup = ({ type }: INodeProperties) => type === 'collection' || type === 'fixedCollection';

/** Whether a group shows something to fill in as soon as it is there. */
const isOpened = ({ default: initial }: INodeProperties) =>
	Object.values(Object(initial)).some((entry) => !Array.isArray(entry) || entry.length > 0);

const emptyIn = (fields: INodeProperties[]) =>
	fields.filter((field) => isGroup(field) && field.required === true && !isOpened(field));

/** What n8n's editor stores of a field that is added from a menu. */
const added = ({ type, default: initial, typeOptions }: INodeProperties) =>
	type === 'collection' && typeOptions?.multipleValues === true ? [initial] : initial;

/** A field's property, under this name. */
function named(name: string, field: Field<unknown>): INodeProperties {
	const [property] = propertiesOf({ [name]: field });
	return property;
}

it('every panel shows a first entry of each group that it needs', () => {
	const panels = resources.flatMap(({ operations }) => operations.map(({ fields }) => fields));
	expect([...panels, triggerFields].flatMap(emptyIn)).toEqual([]);
});

it('finds a group that is needed and empty', () => {
	for (const initial of [{}, { values: [] }]) {
		const field = { ...named('targets', newTargets), default: initial };
		expect(emptyIn([field])).toEqual([field]);
	}
});

const { headers, parsers } = scrapeOptionGroup;

it.each([
	['Targets', named('targets', newTargets), newTargets.schema, '0 urls is required'],
	['Schedule', named('schedule', schedule), schedule.valueSchema, `requires 'Cron' or 'Text'`],
	[
		'Headers',
		named('headers', headers),
		headers.valueSchema,
		'must have a name and a text in every entry',
	],
	['Webhook', named('webhook', documentWebhook), documentWebhook.valueSchema, 'url is required'],
	['Profile', named('profile', profile), profile.valueSchema, 'name is required'],
])('%s names a first entry that was left as it is', (_name, field, schema, words) => {
	expect(isOpened(field)).toBe(true);
	expect(refusals(schema, added(field))).toEqual([words]);
});

type Schema = ZodType<unknown, ZodTypeDef, unknown>;

it.each<[string, INodeProperties, Schema, unknown]>([
	['PDF', named('parsers', parsers), parsers.valueSchema, [{ type: 'pdf', mode: 'auto' }]],
	['Time Filter', named('tbs', tbs), tbs.valueSchema, 'qdr:w'],
	[
		'Email Notification',
		named('notification', notification),
		notification.valueSchema,
		{ email: { enabled: true } },
	],
])('%s asks for what its first entry shows', (_name, field, schema, sent) => {
	expect(accepted(schema, added(field))).toEqual(sent);
});

it('a location, of which nothing is needed, may be left as it is', () => {
	const field = named('location', location);
	expect(isOpened(field)).toBe(true);
	expect(accepted(location.valueSchema, added(field))).toEqual({});
});
