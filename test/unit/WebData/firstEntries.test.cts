import type { INodeProperties } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod/v3';
import type { Field } from '../../../nodes/runtime/form/field';
import { propertiesOf } from '../../../nodes/runtime/form/form';
import { notification } from '../../../nodes/WebData/fields/monitor';
import { location, profile, scrapeOptionGroup } from '../../../nodes/WebData/fields/scrapeOptions';
import { tbs } from '../../../nodes/WebData/fields/time';
import { documentWebhook } from '../../../nodes/WebData/fields/webhook';
import { accepted, refusals } from '../schemaAssertions.cjs';

/** Whether a group shows something to fill in as soon as it is there. */
const isOpened = ({ default: initial }: INodeProperties) =>
	Object.values(Object(initial)).some((entry) => !Array.isArray(entry) || entry.length > 0);

/** What n8n's editor stores of a field that is added from a menu. */
const added = ({ type, default: initial, typeOptions }: INodeProperties) =>
	type === 'collection' && typeOptions?.multipleValues === true ? [initial] : initial;

/** A field's property, under this name. */
function named(name: string, field: Field<unknown>): INodeProperties {
	const [property] = propertiesOf({ [name]: field });
	return property;
}

const { headers, parsers } = scrapeOptionGroup;

it.each([
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
