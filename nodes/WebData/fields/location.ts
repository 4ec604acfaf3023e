import { stringSchema } from '../../runtime/form/schema';
import { list, string } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';

/**
 * A country's code in capitals; UK, which is not an ISO code, becomes GB. Longer names, such as
 * us-generic, are lower case.
 */
function normalizeCountry(value: string): string {
	const given = value.trim();
	const code = given.length === 2 ? given.toUpperCase() : given.toLowerCase();
	return code === 'UK' ? 'GB' : code;
}

/** The location to scrape the page from (https://docs.firecrawl.dev/features/scrape). */
export const location = object(
	{
		displayName: 'Location',
		placeholder: 'Add Setting',
		default: { country: '' },
		description: 'Country and languages to request the page with',
	},
	{
		country: string({
			displayName: 'Country',
			normalize: normalizeCountry,
			placeholder: 'e.g. DE',
			description: 'Two-letter ISO country code, or us-generic',
		}),
		languages: list({
			displayName: 'Languages',
			entry: stringSchema(),
			placeholder: 'e.g. de-DE, en',
			description: "Comma-separated languages by preference; the country's languages if empty",
		}),
	},
);
