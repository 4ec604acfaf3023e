import { withHooks } from '../../runtime/form/effects';
import { listSchema } from '../../runtime/form/schema';
import { boolean, field, integer, oneOf } from '../../runtime/form/field';
import { byName, section, variants } from '../../runtime/form/form';
import { costOf, more } from './prices';

const parser = variants({
	default: 'pdf',
	types: [
		{ name: 'Image', value: 'image', description: 'Reads the text in images' },
		{
			name: 'None',
			value: 'none',
			description: `Documents are not read: a PDF comes back as base64 for ${costOf('page')}`,
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
					'Whether to add the layout of each page: titles, tables, figures and their places',
			}),
			maxPages: integer({
				displayName: 'Max Pages',
				min: 1,
				max: 10_000,
				default: 10,
				description: 'Pages to read and to pay for, 1 to 10,000',
			}),
			mode: oneOf({
				displayName: 'Mode',
				default: 'auto',
				options: [
					{
						name: 'Auto',
						value: 'auto',
						description: 'Fast first, text recognition (OCR) where there is no text',
					},
					{ name: 'Fast', value: 'fast', description: 'Embedded text only' },
					{ name: 'OCR', value: 'ocr', description: 'Reads every page as an image' },
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
				description: 'Whether to add the markdown of each page on its own',
			}),
			refresh: boolean({
				displayName: 'Refresh',
				default: true,
				description:
					'Whether to read a PDF anew that the service has read before, for example when that went wrong',
			}),
		}),
	],
});

const anyParsers = withHooks(listSchema(parser.schema), {
	rule(entries, context) {
		if (entries.length < 2 || !entries.some(({ type }) => type === 'none')) return;
		context.addIssue({ code: 'custom', message: 'takes None only on its own' });
	},
	// The editor's None stands for the empty list, which the API reads as "do not parse".
	after: (entries) => entries.filter(({ type }) => type !== 'none'),
});

/** How documents are read (https://docs.firecrawl.dev/features/document-parsing). A list of collections, as `pairs` are one. */
export const parsers = {
	...field(
		{
			displayName: 'Parsers',
			type: 'collection',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Parser' },
			placeholder: 'Add Setting',
			default: { type: 'pdf' },
			description: "How PDFs and images are read; the service's own choice when empty",
			options: byName(parser.properties),
		},
		anyParsers,
	),
	/** None when all were deleted: to the API, an empty list means that documents are not read. */
	read: ({ parsers: given }: Readonly<Record<string, unknown>>) =>
		Array.isArray(given) && given.length === 0 ? undefined : given,
};
