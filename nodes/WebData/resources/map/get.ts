import {
	choice,
	fields,
	flag,
	isOn,
	membersOf,
	text,
	wholeNumber,
} from '../../../runtime/contract';
import { byName, propertiesOf, shapeOf } from '../../../runtime/form';
import { operation } from '../../../runtime/operation';
import { requirePaidList } from '../../../runtime/paidAnswer';
import { fixedPrice, sumOf } from '../../../runtime/price';
import { asRecord, listResults, noticesIn } from '../../../runtime/results';
import { settingsFields } from '../../../runtime/settings';
import { auditMetadata } from '../../fields/auditMetadata';
import { callerMembers } from '../../fields/caller';
import { limitFields } from '../../fields/limit';
import { location } from '../../fields/location';
import { outputField } from '../../fields/output';
import { pairs } from '../../fields/pairs';
import { pathPatterns } from '../../fields/pathPatterns';
import { scanPrice } from '../../fields/prices';
import { requestJsonField, withRequestJson } from '../../fields/requestJson';
import { threatProtection } from '../../fields/threatProtection';
import { url } from '../../fields/url';

/** Most links that one map returns (addendum 7). */
const mostLinks = 100_000;

const headers = pairs({
	displayName: 'Headers',
	button: 'Add Header',
	description: 'HTTP headers to send to the pages, such as a cookie',
});

const request = fields({
	url: url(),
	...callerMembers,
	search: text().optional(),
	limit: wholeNumber({ min: 1, max: mostLinks }).optional(),
	sitemap: choice('include', 'skip', 'only').optional(),
	includeSubdomains: flag().optional(),
	ignoreQueryParameters: flag().optional(),
	ignoreCache: flag().optional(),
	timeout: wholeNumber({ min: 1, unit: 'milliseconds' }).optional(),
	...shapeOf({ location, headers, threatProtection, auditMetadata }),
	includePaths: pathPatterns().optional(),
	excludePaths: pathPatterns().optional(),
	// Without a field: Request (JSON) gives them (docs/api-notes.md, Requests).
	allowExternalLinks: flag().optional(),
	filterByPath: flag().optional(),
	useIndex: flag().optional(),
});

/** Links come as objects, or as bare addresses from older servers (sdk-facts 10). */
const asLink = (link: unknown) => (typeof link === 'string' ? { url: link } : asRecord(link));

/** POST /map (addendum 7). */
export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Map a website',
	description:
		'Returns the addresses of the pages of a website with title and description, without reading the pages. 1 credit. To read the pages, use a batch or a crawl.',
	fields: [
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.com',
			description: 'Address of the website',
		},
		{
			displayName: 'Search',
			name: 'search',
			type: 'string',
			default: '',
			placeholder: 'e.g. pricing',
			description: 'Words that the best addresses fit; these come first',
		},
		...limitFields({
			initial: 100,
			max: mostLinks,
			description: 'Max number of results to return, up to 100,000; a map costs the same for all',
		}),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: byName([
				...propertiesOf({ auditMetadata }),
				{
					displayName: 'Exclude Paths',
					name: 'excludePaths',
					type: 'string',
					typeOptions: { rows: 2 },
					default: '',
					placeholder: 'e.g. /archive/.*',
					description:
						'Regular expressions, one per line, up to 1,000 with up to 2,000 characters each; paths that match one are left out',
				},
				...propertiesOf({ headers }),
				{
					displayName: 'Ignore Cache',
					name: 'ignoreCache',
					type: 'boolean',
					default: true,
					description: "Whether to read the sitemap anew instead of the service's copy",
				},
				{
					displayName: 'Ignore Query Parameters',
					name: 'ignoreQueryParameters',
					type: 'boolean',
					default: false,
					description:
						'Whether to leave out addresses with query parameters; the service does unless told not to',
				},
				{
					displayName: 'Include Paths',
					name: 'includePaths',
					type: 'string',
					typeOptions: { rows: 2 },
					default: '',
					placeholder: 'e.g. /blog/.*',
					description:
						'Regular expressions, one per line, up to 1,000 with up to 2,000 characters each; only paths that match one are returned',
				},
				{
					displayName: 'Include Subdomains',
					name: 'includeSubdomains',
					type: 'boolean',
					default: false,
					description: 'Whether to return subdomains too; the service does unless told not to',
				},
				...propertiesOf({ location }),
				requestJsonField,
				{
					displayName: 'Sitemap',
					name: 'sitemap',
					type: 'options',
					default: 'include',
					options: [
						{ name: 'Include', value: 'include', description: 'The sitemap and other sources' },
						{ name: 'Only', value: 'only', description: 'The sitemap alone' },
						{ name: 'Skip', value: 'skip', description: 'Other sources alone' },
					],
					description: 'Where the addresses come from',
				},
				...propertiesOf({ threatProtection }),
				{
					displayName: 'Timeout',
					name: 'timeout',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 60000,
					description: 'Longest time for the map, in milliseconds; none when not set',
				},
			]),
		},
		outputField,
		...settingsFields({ answers: true }),
	],
	costs: '1 credit, for up to 100,000 addresses',
	contract: withRequestJson(request),
	read: ({ url: address, search, returnAll, limit, additionalFields }) => ({
		url: address,
		search,
		limit: isOn(returnAll) ? mostLinks : limit,
		...membersOf(additionalFields),
	}),
	async run(body, { output }, call) {
		const answer = await call.send({
			method: 'POST',
			path: '/map',
			body,
			serviceTimeout: body.timeout,
			cost: 'paid answer',
			price: sumOf([fixedPrice(1, '1 credit'), ...scanPrice(body.threatProtection)]),
		});
		const response = asRecord(answer.body);
		noticesIn(response).forEach(call.notice);
		const links = requirePaidList(answer.body, 'links', call.place).map(asLink);
		if (links.length === 0) call.notice(`Item ${call.place.itemIndex} found no address`);
		return listResults({ ...response, links }, 'links', output, call.place);
	},
});
