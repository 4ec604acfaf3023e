import type { INodeProperties } from 'n8n-workflow';
import { fields, list, Refusal, shown, text } from '../../runtime/contract';
import { isCountry } from './countries';

/** Where the page is visited from (api-v2, ScrapeOptions, `location`). */
export const locationField: INodeProperties = {
	displayName: 'Location',
	name: 'location',
	type: 'collection',
	placeholder: 'Add Setting',
	default: { country: '' },
	description: 'Country and languages that the visited page sees',
	options: [
		{
			displayName: 'Country',
			name: 'country',
			type: 'string',
			default: '',
			placeholder: 'e.g. DE',
			description: 'Two-letter ISO country code, or us-generic',
		},
		{
			displayName: 'Languages',
			name: 'languages',
			type: 'string',
			default: '',
			placeholder: 'e.g. de-DE, en',
			description: "Comma-separated languages in order of preference; the country's own when empty",
		},
	],
};

/** Places in the United States that the service takes in place of a country. */
const generic = ['us-generic', 'us-whitelist'];

/** A country's code. Case is mended, and UK, which is no ISO code, becomes GB (addendum 17, trap 12). */
function mendCountry(value: string): string | Refusal {
	const given = value.trim();
	if (generic.includes(given.toLowerCase())) return given.toLowerCase();
	const code = given.toUpperCase();
	if (code === 'UK') return 'GB';
	return isCountry(code)
		? code
		: new Refusal(`must be a two-letter country code such as DE, not ${shown(value)}`);
}

export const location = () =>
	fields({ country: text({ mend: mendCountry }).optional(), languages: list(text()).optional() });
