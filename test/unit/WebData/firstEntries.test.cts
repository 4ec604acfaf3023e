import type { INodeProperties } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod/v3';
import { textMap } from '../../../nodes/runtime/contract';
import { emptyGroupsIn } from '../../../nodes/runtime/emptyGroups';
import { auditMetadata, auditMetadataField } from '../../../nodes/WebData/fields/auditMetadata';
import { exchange, exchangeField } from '../../../nodes/WebData/fields/exchange';
import { location, locationField } from '../../../nodes/WebData/fields/location';
import {
	notification,
	notificationField,
} from '../../../nodes/WebData/fields/monitor/notification';
import {
	newScheduleField,
	schedule,
	scheduleField,
} from '../../../nodes/WebData/fields/monitor/schedule';
import { newTargetsField, targets } from '../../../nodes/WebData/fields/monitor/targets';
import { parsers, parsersField } from '../../../nodes/WebData/fields/parsers';
import { profile, profileField } from '../../../nodes/WebData/fields/profile';
import { redactPII, redactPIIField } from '../../../nodes/WebData/fields/redactPII';
import { readingFields, scrapeOptionFields } from '../../../nodes/WebData/fields/scrapeOptions';
import { tbs, tbsField } from '../../../nodes/WebData/fields/tbs';
import {
	threatProtection,
	threatProtectionField,
} from '../../../nodes/WebData/fields/threatProtection';
import {
	documentEvents,
	documentWebhook,
	webhookField,
} from '../../../nodes/WebData/fields/webhook';
import { resources } from '../../../nodes/WebData/resources';
import { triggerFields } from '../../../nodes/WebDataTrigger/settings';
import { accepted, refusals } from '../verdict.cjs';

const isGroup = ({ type }: INodeProperties) => type === 'collection' || type === 'fixedCollection';

/** Whether a group shows something to fill in as soon as it is there. */
const isOpened = ({ default: initial }: INodeProperties) =>
	Object.values(Object(initial)).some((entry) => !Array.isArray(entry) || entry.length > 0);

const emptyIn = (fields: INodeProperties[]) =>
	fields.filter((field) => isGroup(field) && field.required === true && !isOpened(field));

/** What n8n's editor stores of a field that is added from a menu. */
const added = ({ type, default: initial, typeOptions }: INodeProperties) =>
	type === 'collection' && typeOptions?.multipleValues === true ? [initial] : initial;

function optionNamed(wanted: string): INodeProperties {
	const found = scrapeOptionFields.find(({ name }) => name === wanted);
	if (!found) throw new Error(`no scrape option ${wanted}`);
	return found;
}

const panels: Array<[string, INodeProperties[]]> = [
	...resources.flatMap(({ value, operations }) =>
		operations.map((operation): [string, INodeProperties[]] => [
			`${value}: ${operation.value}`,
			operation.fields,
		]),
	),
	['trigger', triggerFields],
];

it.each(panels)('%s shows a first entry of each group that it needs', (_name, fields) => {
	expect(emptyIn(fields)).toEqual([]);
});

it('finds a group that is needed and empty', () => {
	for (const initial of [{}, { values: [] }]) {
		const field = { ...newTargetsField, default: initial };
		expect(emptyIn([field])).toEqual([field]);
	}
});

it.each([
	['Targets', newTargetsField, targets(), ['0 urls is required']],
	['Schedule', newScheduleField, schedule(), [`needs 'Cron' or 'Text'`]],
	['Schedule of an update', scheduleField, schedule(), [`needs 'Cron' or 'Text'`]],
	['Headers', optionNamed('headers'), textMap(), ['must have a name and a text in every entry']],
	['Webhook', webhookField(documentEvents), documentWebhook(), ['url is required']],
	['Profile', profileField, profile(), ['name is required']],
	['Audit Metadata', auditMetadataField, auditMetadata(), ['username is required']],
])('%s names a first entry that was left as it is', (_name, field, contract, words) => {
	expect(isOpened(field)).toBe(true);
	expect(refusals(contract, added(field))).toEqual(words);
});

it.each(['approve', 'decline'])('Exchange names the ID that %s was left without', (name) => {
	const { options = [] } = exchangeField;
	const group = options.find((option) => option.name === name);
	const stored = { [name]: Object(group).default };
	expect(refusals(exchange(), stored)).toEqual([`${name} approvalId is required`]);
});

type Contract = ZodType<unknown, ZodTypeDef, unknown>;

it.each<[string, INodeProperties, Contract, unknown]>([
	['Parsers', parsersField, parsers(), [{ type: 'pdf' }]],
	['Time Filter', tbsField, tbs(), 'qdr:w'],
	['Exchange', exchangeField, exchange(), { enabled: true }],
	['Notification', notificationField, notification(), { email: { enabled: true } }],
	['Redact Personal Data', redactPIIField, redactPII(), true],
])('%s asks for what its first entry shows', (_name, field, contract, sent) => {
	expect(accepted(contract, added(field))).toEqual(sent);
});

it.each<[string, INodeProperties, Contract]>([
	['Location', locationField, location()],
	['Threat Protection', threatProtectionField, threatProtection()],
])('%s, of which nothing is needed, is told to be empty', (name, field, contract) => {
	expect(isOpened(field)).toBe(true);
	expect(accepted(contract, added(field))).toEqual({});
	const values = { scrapeOptions: { [field.name]: added(field) } };
	expect(emptyGroupsIn({ fields: readingFields, values, way: [] })).toEqual([
		`Scrape Options > ${name}`,
	]);
});
