import type { IDataObject } from 'n8n-workflow';
import { check, ValidationFailure } from '../../../runtime/form/schema';
import { boolean, hidden } from '../../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { documentResult, isUnchanged } from '../../documents/document';
import { callerFields } from '../../fields/caller';
import { formats } from '../../fields/formats';
import { outputField, passageQueryField } from '../../../runtime/form/resultSettings';
import { costOf, more, pageKind, pagePrice } from '../../fields/prices';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { defaultScrapeTimeout, scrapeFields, scrapeOptionRules } from '../../fields/scrapeOptions';
import { scrapePage } from '../../fields/sharedEndpoints';
import { toolDetail } from '../../fields/toolDetail';
import { urlField } from '../../fields/url';
import { withoutEffect } from '../../fields/withoutEffect';
import { zeroDataRetention } from '../../fields/zeroDataRetention';

const request = form(
	{
		url: urlField({
			placeholder: 'e.g. https://example.com/pricing',
			description: 'URL of the page or document',
		}),
		formats,
		...scrapeFields,
		...additionalFields({
			domainTools: boolean({
				displayName: 'Domain Tools',
				default: true,
				description:
					"Whether to include data tools offered by the page's domain; free, must be enabled for the team",
			}),
			requestJson,
			toolDetail,
			zeroDataRetention,
		}),
		...callerFields,
		alexandria: hidden(
			check(
				() =>
					new ValidationFailure(
						`cannot be used together with a URL; use the resource Data Tool to execute tools`,
					),
			),
		),
	},
	scrapeOptionRules,
);

/** POST /scrape (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
export const scrape = operation({
	name: 'Scrape',
	value: 'scrape',
	action: 'Scrape a page',
	description: `Scrapes a URL and returns the page or document as markdown, data or other formats; a screenshot only as a URL. ${costOf('page')}, more for some formats.`,
	costs: `${costOf('page')}; PDFs ${more('pdfPage')} per further page; JSON ${more('json')}, question ${more('question')}, highlights ${more('highlights')}, audio ${more('audio')}, video ${more('video')}; X (Twitter) ${more('xPage')}`,
	request: mapSchema(request, (schema) => withRequestJson(schema, ['scrapeOptions'])),
	settings: [
		passageQueryField,
		outputField,
		...settingsFields({
			responds: true,
			files: true,
			largeDocuments: true,
			documents: true,
			page: true,
		}),
	],
	hints: withoutEffect,
	async run(body, context) {
		const response = await context.send({
			endpoint: scrapePage,
			body,
			serviceTimeout: body.timeout ?? defaultScrapeTimeout,
			price: pagePrice(body, pageKind(body.url)),
		});
		const { output, onlyChanged } = context.settings;
		const result = documentResult(response.body as IDataObject, output, context);
		return onlyChanged && isUnchanged(response.body) ? [] : [result];
	},
});
