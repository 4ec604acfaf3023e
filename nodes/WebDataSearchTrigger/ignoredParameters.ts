import { trackingParameters } from './trackingParameters';

/** Names on the list that tell pages apart on some websites: recordings by MusicBrainz ID, news by number. */
const identifying = ['mbid', 'ncid'];

/** Tracking parameters that the list lacks, or has for single websites only, by who adds them. */
const others = [
	// Adobe
	...['ef_id', 's_cid', 's_kwcid'],
	// Awin, Impact, Zanox
	...['awc', 'irclickid', 'zanpid'],
	// Branch
	...['_branch_match_id', '_branch_referrer'],
	// Bronto, Listrak, dotdigital
	...['_bta_c', '_bta_tid', 'dm_i', 'trk_contact', 'trk_module', 'trk_msg', 'trk_sid'],
	// Facebook and Instagram
	...[
		'__tn__',
		'fb_action_ids',
		'fb_action_types',
		'fb_ref',
		'fb_source',
		'igsh',
		'igshid',
		'mibextid',
	],
	// Google: advertising, Analytics across domains, results of its search and shops
	...[
		'_ga',
		'_gac',
		'_gl',
		'dclid',
		'gad_campaignid',
		'gad_source',
		'gbraid',
		'srsltid',
		'ved',
		'wbraid',
	],
	// Klaviyo, MailerLite, Omnisend
	...['_ke', '_kx', 'ml_subscriber', 'ml_subscriber_hash', 'omnisendcontactid'],
	// LinkedIn, Microsoft, Pinterest, Quora, Snapchat, TikTok, X
	...['epik', 'li_fat_id', 'msclkid', 'qclid', 'sccid', 'ttclid', 'twclid', 'ref_src', 'ref_url'],
	// Marin, Outbrain, Taboola, Wicked Reports
	...['dicbo', 'mkwid', 'pcrid', 'rb_clickid', 'tblci', 'wickedid'],
	// Mapp (Webtrekk), Piano (AT Internet)
	...['wt_mc', 'wt_zmc', 'xtor'],
	// Yahoo, Yandex
	...['_openstat', 'guccounter', 'guce_referrer', 'guce_referrer_sig', 'yclid', 'ysclid'],
];

const tracking = new Set([...trackingParameters, ...others]);
for (const name of identifying) tracking.delete(name);

/** Whether a name fits a pattern in which `*` stands for any characters, in the time of reading both. */
export function fitsGlob(name: string, pattern: string): boolean {
	const [start, ...rest] = pattern.split('*');
	const end = rest.pop();
	if (end === undefined) return name === pattern;
	if (!name.startsWith(start) || !name.endsWith(end)) return false;
	let from = start.length;
	for (const part of rest) {
		const at = name.indexOf(part, from);
		if (at < 0) return false;
		from = at + part.length;
	}
	return from + end.length <= name.length;
}

/**
 * Whether a query parameter says where a visitor came from, never what the page is; `patterns` are the
 * names and globs, in lower case, that the user knows of.
 */
export function isIgnored(name: string, patterns: readonly string[]): boolean {
	const lower = name.toLowerCase();
	return (
		lower.startsWith('utm_') ||
		tracking.has(lower) ||
		patterns.some((pattern) => fitsGlob(lower, pattern))
	);
}
