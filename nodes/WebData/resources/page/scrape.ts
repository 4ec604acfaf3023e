import type { IDataObject } from 'n8n-workflow';
import { check, fields, flag, membersOf, Refusal } from '../../../runtime/contract';
import { byName, propertiesOf, shapeOf } from '../../../runtime/form';
import { operation } from '../../../runtime/operation';
import { settingsFields } from '../../../runtime/settings';
import { documentResult } from '../../documents/document';
import { callerMembers } from '../../fields/caller';
import { formatFields } from '../../fields/formatFields';
import { isPdfAt, pagePrice } from '../../fields/prices';
import { requestJsonField, withRequestJson } from '../../fields/requestJson';
import {
	defaultScrapeTimeout,
	readingFields,
	readScrapeOptions,
	scrapeOptionMembers,
	scrapeOptionRules,
} from '../../fields/scrapeOptions';
import { toolDetail } from '../../fields/toolDetail';
import { url } from '../../fields/url';
import { withoutEffect } from '../../fields/withoutEffect';
import { zeroDataRetention } from '../../fields/zeroDataRetention';

const request = fields(
	{
		url: url(),
		...callerMembers,
		...scrapeOptionMembers,
		...shapeOf({ toolDetail, zeroDataRetention }),
		domainTools: flag().optional(),
		alexandria: check(
			() => new Refusal(`cannot be used together with a URL; the resource Tool executes tools`),
		).optional(),
	},
	scrapeOptionRules,
);

/** POST /scrape (addendum 4). */
export const scrape = operation({
	name: 'Scrape',
	value: 'scrape',
	action: 'Scrape a page',
	description:
		'Reads one web page or document by its address and returns its content as markdown, data, screenshot or what else is asked for. 1 credit, more for some formats. For many addresses use a batch, for a whole site a crawl.',
	fields: [
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.com/pricing',
			description: 'Address of the page or document',
		},
		...formatFields,
		...readingFields,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: byName([
				{
					displayName: 'Domain Tools',
					name: 'domainTools',
					type: 'boolean',
					default: true,
					description:
						"Whether to add data tools offered by the page's domain; free, the team must have the feature",
				},
				requestJsonField,
				...propertiesOf({ toolDetail, zeroDataRetention }),
			]),
		},
		...settingsFields({ answers: true, documents: true, largeDocuments: true, visits: true }),
	],
	costs: '1 credit, PDFs 1 per page; JSON, question, highlights, audio or video 4 more each',
	contract: withRequestJson(request, ['scrapeOptions']),
	hints: withoutEffect,
	read: (values) => ({
		url: values.url,
		...readScrapeOptions(values),
		...membersOf(values.additionalFields),
	}),
	async run(body, _values, call) {
		const answer = await call.send({
			method: 'POST',
			path: '/scrape',
			body,
			serviceTimeout: body.timeout ?? defaultScrapeTimeout,
			cost: 'paid answer',
			price: pagePrice(body, isPdfAt(body.url)),
		});
		return [documentResult(answer.body as IDataObject, call)];
	},
});
