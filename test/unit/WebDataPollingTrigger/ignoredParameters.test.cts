import * as fc from 'fast-check';
import { fitsGlob } from '../../../nodes/runtime/values/text';
import { isIgnored } from '../../../nodes/WebDataPollingTrigger/ignoredParameters';
import { trackingParameters } from '../../../nodes/WebDataPollingTrigger/trackingParameters';

/** The package's rules; the first are those of every website. */
const [{ name, rules }] = require('tidy-url/data/rules.js') as Array<{
	name: string;
	rules: string[];
}>;

it("has the package's list of tracking parameters; npx gulp trackingParameters updates it", () => {
	expect(name).toBe('Global');
	expect(trackingParameters).toEqual([...new Set(rules.map((rule) => rule.toLowerCase()))].sort());
});

describe('A query parameter', () => {
	it.each([
		...['srsltid', 'gbraid', 'wbraid', 'gad_source', '_ga', '_gl', 'mkt_tok', '_hsenc', '_hsmi'],
		...['ttclid', 'twclid', 'li_fat_id', 'ysclid', 'ved', 'fbclid', 'gclid', 'msclkid', 'mc_cid'],
		...[
			'utm_source',
			'UTM_Campaign',
			'utm_anything',
			'ScCid',
			'igshid',
			'ref_src',
			'yclid',
			'dclid',
		],
		...[
			'sca_esv',
			'sca_upv',
			'sxsrf',
			'gs_lp',
			'iflsig',
			'spm',
			'spm_id_from',
			'scm_id',
			'algo_pvid',
		],
		...['vd_source', 'pdp_npi', 'utparam', 'pf_rd_p', 'pd_rd_w', '_trkparms', '_trksid', 'mkevt'],
		...[
			'hsctatracking',
			'ymclid',
			'syclid',
			'gad',
			'gcl_au',
			'fb_comment_id',
			'oft_id',
			'at_recipient_id',
		],
	])('is ignored if it is for tracking: %s', (parameter) => {
		expect(isIgnored(parameter, [])).toBe(true);
	});

	it.each([
		...['id', 'ref', 'source', 's', 'p', 'page', 'q', 'v', 'lang', 'mbid', 'ncid', 'si', 'tag'],
		...[
			'productId',
			'sku_id',
			'sk',
			'tt',
			'platform',
			'ei',
			'sa',
			'client',
			'origin',
			'scm',
			'qid',
			'_t',
		],
		...['utm', 'xutm_source', 'gclid2', '', 'constructor', '__proto__'],
	])('is not ignored if it may identify a page: %j', (parameter) => {
		expect(isIgnored(parameter, [])).toBe(false);
	});

	it.each([
		['session*', 'sessionid', true],
		['session*', 'SESSION', true],
		['session*', 'mysession', false],
		['*id', 'sid', true],
		['*id', 'ids', false],
		['a*b*c', 'a1b2c', true],
		['a*b*c', 'abc', true],
		['a*b*c', 'acb', false],
		['a*a', 'a', false],
		['a*a', 'aa', true],
		['sort', 'sort', true],
		['sort', 'sorted', false],
		['a.c', 'abc', false],
		['(a+)+', 'aaa', false],
	])('matches the pattern %s or not: %s', (pattern, parameter, expected) => {
		expect(isIgnored(parameter, [pattern])).toBe(expected);
	});
});

it('matches a glob to its parts with any characters between', () => {
	const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '(') });
	fc.assert(
		fc.property(fc.array(text, { minLength: 1 }), fc.infiniteStream(text), (parts, between) => {
			const [first, ...rest] = parts;
			const made = rest.reduce((made, part) => made + between.next().value + part, first);
			expect(fitsGlob(made, parts.join('*'))).toBe(true);
		}),
	);
});
