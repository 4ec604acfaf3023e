import type { INodeProperties } from 'n8n-workflow';
import { byType, choice, fields, flag, list, wholeNumber } from '../../runtime/contract';
import { field } from '../../runtime/field';
import type { JsonRecord } from '../../runtime/record';

const show = (...types: string[]) => ({ show: { type: types } });

/** Fields of one parser; the type decides which are shown. */
const parserFields: INodeProperties[] = [
	{
		displayName: 'Blocks',
		name: 'blocks',
		type: 'boolean',
		default: true,
		displayOptions: show('pdf'),
		description: 'Whether to add the layout of each page: titles, tables, figures and their places',
	},
	{
		displayName: 'Max Pages',
		name: 'maxPages',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10000 },
		default: 10,
		displayOptions: show('pdf'),
		description: 'Pages to read and to pay for, 1 to 10,000',
	},
	{
		displayName: 'Mode',
		name: 'mode',
		type: 'options',
		default: 'auto',
		displayOptions: show('pdf'),
		options: [
			{
				name: 'Auto',
				value: 'auto',
				description: 'Fast first, text recognition (OCR) where there is no text',
			},
			{ name: 'Fast', value: 'fast', description: 'Embedded text only' },
			{ name: 'OCR', value: 'ocr', description: 'Reads every page as an image' },
		],
	},
	{
		displayName: 'Page Markers',
		name: 'pageMarkers',
		type: 'boolean',
		default: true,
		displayOptions: show('pdf'),
		description: 'Whether to mark page breaks in the markdown',
	},
	{
		displayName: 'Pages',
		name: 'pages',
		type: 'boolean',
		default: true,
		displayOptions: show('pdf'),
		description: 'Whether to add the markdown of each page on its own',
	},
	{
		displayName: 'Refresh',
		name: 'refresh',
		type: 'boolean',
		default: true,
		displayOptions: show('pdf'),
		description:
			'Whether to read a PDF anew that the service has read before, for example when that went wrong',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		default: 'pdf',
		options: [
			{ name: 'Image', value: 'image', description: 'Reads the text in images' },
			{
				name: 'None',
				value: 'none',
				description: 'Documents are not read: a PDF comes back as base64 for 1 credit',
			},
			{ name: 'PDF', value: 'pdf', description: 'PDF to markdown, 1 credit per page' },
		],
	},
];

/** Members of a group without its list of parsers when all were deleted from it: to the API, an empty list means that documents are not read. */
export const withoutEmptyParsers = ({ parsers: given, ...members }: JsonRecord): JsonRecord =>
	Array.isArray(given) && given.length === 0 ? members : { ...members, parsers: given };

const anyParsers = list(
	byType(
		{
			pdf: fields({
				mode: choice('fast', 'auto', 'ocr').optional(),
				maxPages: wholeNumber({ min: 1, max: 10_000 }).optional(),
				pages: flag().optional(),
				blocks: flag().optional(),
				pageMarkers: flag().optional(),
				refresh: flag().optional(),
			}),
			image: fields({}),
			none: fields({}),
		},
		{ editor: parserFields },
	),
)
	.superRefine((entries, context) => {
		if (entries.length < 2 || !entries.some(({ type }) => type === 'none')) return;
		context.addIssue({ code: 'custom', message: 'takes None only on its own' });
	})
	// The editor's None stands for the empty list, which the API reads as "do not parse".
	.transform((entries) => entries.filter(({ type }) => type !== 'none'));

/** How documents are read (https://docs.firecrawl.dev/features/document-parsing). A list of collections, as `pairs` are one. */
export const parsers = field(
	{
		displayName: 'Parsers',
		type: 'collection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Parser' },
		placeholder: 'Add Setting',
		default: { type: 'pdf' },
		description: "How PDFs and images are read; the service's own choice when empty",
		options: parserFields,
	},
	anyParsers,
);
