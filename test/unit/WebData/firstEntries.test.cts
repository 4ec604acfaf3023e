import type { INodeProperties } from 'n8n-workflow';
import { auditMetadata, auditMetadataField } from '../../../nodes/WebData/fields/auditMetadata';
import { location, locationField } from '../../../nodes/WebData/fields/location';
import { newScheduleField, schedule } from '../../../nodes/WebData/fields/monitor/schedule';
import { newTargetsField, targets } from '../../../nodes/WebData/fields/monitor/targets';
import { profile, profileField } from '../../../nodes/WebData/fields/profile';
import {
	documentEvents,
	documentWebhook,
	webhookField,
} from '../../../nodes/WebData/fields/webhook';
import { resources } from '../../../nodes/WebData/resources';
import { triggerFields } from '../../../nodes/WebDataTrigger/settings';
import { refusals } from '../verdict.cjs';

const isGroup = ({ type }: INodeProperties) => type === 'collection' || type === 'fixedCollection';

/** Whether a group shows something to fill in as soon as it is there. */
const isOpened = ({ default: initial }: INodeProperties) =>
	Object.values(Object(initial)).some((entry) => !Array.isArray(entry) || entry.length > 0);

const emptyIn = (fields: INodeProperties[]) =>
	fields.filter((field) => isGroup(field) && field.required === true && !isOpened(field));

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
	['Webhook', webhookField(documentEvents), documentWebhook(), ['url is required']],
	['Profile', profileField, profile(), ['name is required']],
	['Audit Metadata', auditMetadataField, auditMetadata(), ['username is required']],
	['Location, of which nothing is needed,', locationField, location(), []],
])('%s names a first entry that was left as it is', (_name, field, contract, words) => {
	expect(isOpened(field)).toBe(true);
	expect(refusals(contract, field.default)).toEqual(words);
});
