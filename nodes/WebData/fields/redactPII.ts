import { z } from 'zod/v3';
import { choice, choices, fields, flag, handOn, isUnset } from '../../runtime/contract';
import { field } from '../../runtime/field';
import { isRecord } from '../../runtime/record';

const settings = fields({
	mode: choice('accurate', 'aggressive', 'fast').optional(),
	entities: choices(
		choice('PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'),
	).optional(),
	replaceStyle: choice('tag', 'mask', 'remove').optional(),
});

const isEnabled = flag();

/** The switch alone is sent as a switch; settings beside it are sent in its place, unless it is off. */
const given = z.unknown().transform((value, context) => {
	const { enabled = true, ...given } = isRecord(value) ? value : { enabled: value };
	const on = isEnabled.safeParse(enabled);
	const chosen = settings.safeParse(given);
	if (!on.success) return handOn(on.error, context);
	if (!chosen.success) return handOn(chosen.error, context);
	return on.data && !isUnset(chosen.data) ? chosen.data : on.data;
});

/** Redaction of personal data in the markdown (docs/api-notes.md, Requests). */
export const redactPII = field(
	{
		displayName: 'Redact Personal Data',
		type: 'collection',
		placeholder: 'Add Setting',
		default: { enabled: true },
		description: 'Removes personal data from the markdown; costs 4 more credits per page',
		options: [
			{
				displayName: 'Enable',
				name: 'enabled',
				type: 'boolean',
				default: true,
				description: "Whether to redact, with the service's defaults for all that is not set here",
			},
			{
				displayName: 'Entities',
				name: 'entities',
				type: 'multiOptions',
				default: [],
				options: [
					{ name: 'Email', value: 'EMAIL' },
					{ name: 'Financial', value: 'FINANCIAL' },
					{ name: 'Location', value: 'LOCATION' },
					{ name: 'Person', value: 'PERSON' },
					{ name: 'Phone', value: 'PHONE' },
					{ name: 'Secret', value: 'SECRET' },
				],
				description: 'Kinds of data to redact; all when empty',
			},
			{
				displayName: 'Mode',
				name: 'mode',
				type: 'options',
				default: 'accurate',
				options: [
					{ name: 'Accurate', value: 'accurate' },
					{ name: 'Aggressive', value: 'aggressive' },
					{ name: 'Fast', value: 'fast' },
				],
				description: 'How thoroughly to look for personal data',
			},
			{
				displayName: 'Replacement',
				name: 'replaceStyle',
				type: 'options',
				default: 'tag',
				options: [
					{ name: 'Mask', value: 'mask' },
					{ name: 'Remove', value: 'remove' },
					{ name: 'Tag', value: 'tag' },
				],
				description: 'What stands in the place of redacted text',
			},
		],
	},
	given,
);
