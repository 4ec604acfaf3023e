import { transformSchema } from '../../runtime/form/effects';
import { forwardIssues, isUnset } from '../../runtime/form/schema';
import { anyOf, boolean, field, guard, oneOf } from '../../runtime/form/field';
import { objectParts } from '../../runtime/form/form';
import { isRecord } from '../../runtime/values/record';
import { more } from './prices';

const enabled = boolean({
	displayName: 'Enable',
	default: true,
	description: "Whether to redact; fields not set use the server's defaults",
});

const settings = {
	entities: anyOf({
		emptyIsUnset: true,
		displayName: 'Entities',
		options: [
			{ name: 'Email', value: 'EMAIL' },
			{ name: 'Financial', value: 'FINANCIAL' },
			{ name: 'Location', value: 'LOCATION' },
			{ name: 'Person', value: 'PERSON' },
			{ name: 'Phone', value: 'PHONE' },
			{ name: 'Secret', value: 'SECRET' },
		],
		description: 'Types of data to redact; all if empty',
	}),
	mode: oneOf({
		displayName: 'Mode',
		default: 'accurate',
		options: [
			{ name: 'Accurate', value: 'accurate' },
			{ name: 'Aggressive', value: 'aggressive' },
			{ name: 'Fast', value: 'fast' },
		],
		description: 'How thoroughly to detect personal data',
	}),
	replaceStyle: oneOf({
		displayName: 'Replacement',
		default: 'tag',
		options: [
			{ name: 'Mask', value: 'mask' },
			{ name: 'Remove', value: 'remove' },
			{ name: 'Tag', value: 'tag' },
		],
		description: 'Replacement for redacted text',
	}),
};

const { schema: chosenSettings } = objectParts(settings);

/** The switch alone is sent as a boolean; its settings replace it, unless it is off. */
const given = transformSchema((value, context) => {
	const { enabled: isOn = true, ...others } = isRecord(value) ? value : { enabled: value };
	const on = enabled.valueSchema.safeParse(isOn);
	const chosen = chosenSettings.safeParse(others);
	if (!on.success) return forwardIssues(on.error, context, ...(isRecord(value) ? ['enabled'] : []));
	if (!chosen.success) return forwardIssues(chosen.error, context);
	return on.data && !isUnset(chosen.data) ? chosen.data : on.data;
});

/** Redaction of personal data in the markdown (docs/api-notes.md, Requests). */
export const redactPII = guard(
	field(
		{
			displayName: 'Redact Personal Data',
			type: 'collection',
			placeholder: 'Add Setting',
			default: { enabled: true },
			description: `Removes personal data from the markdown, ${more('redaction')} per page, including each PDF page`,
			options: objectParts({ enabled, ...settings }).properties,
		},
		given,
	),
);
