import { withHooks } from '../../runtime/form/effects';
import { listSchema } from '../../runtime/form/schema';
import { boolean, field, integer, oneOf } from '../../runtime/form/field';
import { byName, section, variants } from '../../runtime/form/form';
import { costOf, more } from './prices';

const parser = variants({
	default: 'pdf',
	types: [
		{ name: 'Image', value: 'image', description: 'Recognizes text in images' },
		{
			name: 'None',
			value: 'none',
			description: `Does not parse documents: a PDF is returned as base64 for ${costOf('page')}`,
		},
		{
			name: 'PDF',
			value: 'pdf',
			description: `PDF to markdown, ${more('pdfPage')} per page after the first`,
		},
	],
	sections: [
		section(['pdf'], {
			blocks: boolean({
				displayName: 'Blocks',
				default: true,
				description:
					'Whether to include the layout of each page: titles, tables, figures and their positions',
			}),
			maxPages: integer({
				displayName: 'Max Pages',
				min: 1,
				max: 10_000,
				default: 10,
				description: 'Max number of pages to parse and pay for, 1 to 10,000',
			}),
			mode: oneOf({
				displayName: 'Mode',
				default: 'auto',
				options: [
					{
						name: 'Auto',
						value: 'auto',
						description: 'Fast first, OCR for pages without text',
					},
					{ name: 'Fast', value: 'fast', description: 'Embedded text only' },
					{ name: 'OCR', value: 'ocr', description: 'OCR for every page' },
				],
			}),
			pageMarkers: boolean({
				displayName: 'Page Markers',
				default: true,
				description: 'Whether to mark page breaks in the markdown',
			}),
			pages: boolean({
				displayName: 'Pages',
				default: true,
				description: 'Whether to include the markdown of each page separately',
			}),
			refresh: boolean({
				displayName: 'Refresh',
				default: true,
				description: 'Whether to parse a PDF again instead of using the cached result',
			}),
		}),
	],
});

const anyParsers = withHooks(listSchema(parser.schema), {
	rule(entries, context) {
		if (entries.length < 2 || !entries.some(({ type }) => type === 'none')) return;
		context.addIssue({
			code: 'custom',
			message: 'does not allow None together with other parsers',
		});
	},
	// The editor's None becomes the empty list, by which the API does not parse.
	after: (entries) => entries.filter(({ type }) => type !== 'none'),
});

/**
 * The parsers of documents (https://docs.firecrawl.dev/features/document-parsing), as a list of
 * collections like `pairs`.
 */
export const parsers = {
	...field(
		{
			displayName: 'Parsers',
			type: 'collection',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Parser' },
			placeholder: 'Add Setting',
			default: { type: 'pdf' },
			description: 'How to parse PDFs and images; server default if empty',
			options: byName(parser.properties),
		},
		anyParsers,
	),
	/** None if all entries were deleted: to the API, an empty list means no parsing. */
	read: ({ parsers: given }: Readonly<Record<string, unknown>>) =>
		Array.isArray(given) && given.length === 0 ? undefined : given,
};
