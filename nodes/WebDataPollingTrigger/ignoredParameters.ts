import { fitsGlob } from '../runtime/values/text';

/**
 * Listed parameters that identify pages on some websites: recordings by MusicBrainz ID, news by
 * number.
 */
const identifying = ['mbid', 'ncid'];

/** Tracking parameters missing from the list, or listed only for single websites, by their source. */
const others = [
	// Adobe
	'ef_id s_cid s_kwcid',
	// Alibaba, AliExpress
	'aff_fcid aff_fsk aff_platform aff_trace_key algo_exp_id algo_expid algo_pvid gps-id',
	'pdp_npi pdp_pi scm_id scm-url spm tpp_rcmd_bucket_id utparam utparam-url ws_ab_test',
	// Amazon
	'ascsubtag pd_rd_i pd_rd_r pd_rd_w pd_rd_wg pf_rd_i pf_rd_m pf_rd_p pf_rd_r pf_rd_s',
	'pf_rd_t',
	// Awin, Impact, Zanox
	'awc irclickid zanpid',
	// Bilibili
	'spm_id_from vd_source',
	// Branch
	'_branch_match_id _branch_referrer',
	// Bronto, Listrak, dotdigital
	'_bta_c _bta_tid dm_i trk_contact trk_module trk_msg trk_sid',
	// eBay
	'_trkparms _trksid mkcid mkevt mkrid',
	// Facebook, Instagram
	'__tn__ fb_action_ids fb_action_types fb_comment_id fb_ref fb_source igsh igshid mibextid',
	// Google, its advertising, Analytics across domains, search and shops
	'_ga _gac _gl dclid gad gad_campaignid gad_source gbraid gcl_au gs_lcp gs_lcrp gs_lp',
	'iflsig sca_esv sca_upv srsltid sxsrf ved wbraid',
	// Klaviyo, MailerLite, Omnisend
	'_ke _kx ml_subscriber ml_subscriber_hash omnisendcontactid',
	// LinkedIn, Microsoft, Pinterest, Quora, Snapchat, TikTok, X
	'epik li_fat_id msclkid qclid ref_src ref_url sccid ttclid twclid',
	// Mapp (Webtrekk), Piano (AT Internet)
	'at_recipient_id at_recipient_list wt_mc wt_zmc xtor',
	// Marin, Outbrain, Taboola, Wicked Reports
	'dicbo mkwid pcrid rb_clickid tblci wickedid',
	// Omeda, Sailthru, Salesforce, Bluecore, Beehiiv
	'_bhlid bbeml bsft_clkid bsft_uid et_rid sc_customer sc_eh sc_uid',
	// Ometria
	'oft_c oft_ck oft_d oft_id oft_ids oft_k oft_lk oft_sid',
	// Yahoo, Yandex
	'_openstat guccounter guce_referrer guce_referrer_sig syclid yclid ymclid ysclid',
].flatMap((names) => names.split(' '));
const tracking = new Set(others);
for (const name of identifying) tracking.delete(name);

/**
 * Whether a query parameter is for tracking and does not identify the page; `patterns` are the
 * user's names and globs in lower case.
 */
export function isIgnored(name: string, patterns: readonly string[]): boolean {
	const lower = name.toLowerCase();
	return (
		lower.startsWith('utm_') ||
		tracking.has(lower) ||
		patterns.some((pattern) => fitsGlob(lower, pattern))
	);
}
