import { stringSchema } from '../../runtime/form/schema';
import { guard, integer, list, oneOf } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';
import { asciiHost } from './domains';
import { costOf } from './prices';

/** A domain or wildcard in ASCII. */
function normalizePattern(value: string): string {
	const given = value.trim().toLowerCase();
	const wildcard = given.startsWith('*.') ? '*.' : '';
	return wildcard + asciiHost(given.slice(wildcard.length));
}

const normalizeTld = (value: string) => value.trim().toLowerCase().replace(/^\./, '');

const rules = (
	normalize: (value: string) => string,
	about: { displayName: string; placeholder: string; description: string },
) => list({ ...about, entry: stringSchema({ normalize }), max: 1000 });

/** Risk rules for one request, instead of the organization's (docs/api-notes.md, Requests). */
export const threatProtection = guard(
	object(
		{
			displayName: 'Threat Protection',
			placeholder: 'Add Rule',
			default: { blacklist: '' },
			description:
				"Overrides the organization's policy for this request; must be enabled for the team",
		},
		{
			blacklist: guard(
				rules(normalizePattern, {
					displayName: 'Blacklist',
					placeholder: 'e.g. bad.example, *.worse.example',
					description: 'Comma-separated domains or wildcards to always block, up to 1,000',
				}),
			),
			blockedTlds: guard(
				rules(normalizeTld, {
					displayName: 'Blocked TLDs',
					placeholder: 'e.g. zip, mov',
					description: 'Comma-separated top-level domains without dot, up to 1,000',
				}),
			),
			failurePolicy: guard(
				oneOf({
					displayName: 'Failure Policy',
					default: 'closed',
					options: [
						{ name: 'Allow', value: 'open' },
						{ name: 'Block', value: 'closed' },
					],
					description: 'What to do with a URL if the risk check is unavailable',
				}),
			),
			mode: guard(
				oneOf({
					displayName: 'Mode',
					default: 'normal',
					options: [
						{
							name: 'Manual Only',
							value: 'manual-only',
							description: 'Only applies the lists, at no cost',
						},
						{
							name: 'Normal',
							value: 'normal',
							description: `Checks every URL, ${costOf('threatScan')} each`,
						},
						{ name: 'Off', value: 'off' },
						{
							name: 'Zscaler',
							value: 'zscaler',
							description: "Uses the organization's Zscaler integration, at no cost",
						},
					],
				}),
			),
			riskScoreThreshold: integer({
				displayName: 'Risk Score Threshold',
				min: 0,
				max: 100,
				default: 75,
				description: 'Blocks URLs with this score or higher, 0 to 100; lower is stricter',
			}),
			whitelist: rules(normalizePattern, {
				displayName: 'Whitelist',
				placeholder: 'e.g. example.com',
				description:
					'Comma-separated domains or wildcards to always allow, up to 1,000; overrides all other rules',
			}),
		},
	),
);
