import { ValidationFailure, preview, stringSchema } from '../../runtime/form/schema';
import { list, string } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';
import { isCountry } from './countries';

/** Places in the United States that the service takes in place of a country. */
const generic = ['us-generic', 'us-whitelist'];

/** A country's code. Case is corrected, and UK, which is no ISO code, becomes GB. */
function normalizeCountry(value: string): string | ValidationFailure {
	const given = value.trim();
	if (generic.includes(given.toLowerCase())) return given.toLowerCase();
	const code = given.toUpperCase();
	if (code === 'UK') return 'GB';
	return isCountry(code)
		? code
		: new ValidationFailure(`must be a two-letter country code such as DE, not ${preview(value)}`);
}

/** Where the page is visited from (https://docs.firecrawl.dev/features/scrape). */
export const location = object(
	{
		displayName: 'Location',
		placeholder: 'Add Setting',
		default: { country: '' },
		description: 'Country and languages that the visited page sees',
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
			description: "Comma-separated languages in order of preference; the country's own when empty",
		}),
	},
);
