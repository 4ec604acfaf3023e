import { strToU8, zipSync } from 'fflate';

import { escapeHtml } from './escapeHtml.cjs';

/** A ZIP container of text files, by their paths. */
function container(files: Record<string, string>): Buffer {
	const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const);
	return Buffer.from(zipSync(Object.fromEntries(entries)));
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const namespaces = 'http://schemas.openxmlformats.org';
const relationship = `${namespaces}/officeDocument/2006/relationships`;

function contentTypes(parts: Record<string, string>): string {
	const overrides = Object.entries(parts).map(
		([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`,
	);
	return `${xml}<Types xmlns="${namespaces}/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
${overrides.join('\n')}</Types>`;
}

interface Relation {
	id: string;
	type: string;
	target: string;
	external?: boolean;
}

function relations(list: readonly Relation[]): string {
	const items = list.map(({ id, type, target, external }) => {
		const mode = external ? ' TargetMode="External"' : '';
		return `<Relationship Id="${id}" Type="${relationship}/${type}" Target="${target}"${mode}/>`;
	});
	return `${xml}<Relationships xmlns="${namespaces}/package/2006/relationships">${items.join('')}</Relationships>`;
}

const office = 'application/vnd.openxmlformats-officedocument';

export interface WordContent {
	title: string;
	paragraphs: readonly string[];
	/** Rows of a table after the paragraphs. */
	table?: readonly (readonly string[])[];
	link?: { text: string; url: string };
}

/** A Word document (.docx): a heading, paragraphs, and a link and a table where given. */
export function wordFile({ title, paragraphs, table = [], link }: WordContent): Buffer {
	const run = (text: string): string =>
		`<w:r><w:t xml:space="preserve">${escapeHtml(text)}</w:t></w:r>`;
	const paragraph = (inner: string): string => `<w:p>${inner}</w:p>`;
	const rows = table.map(
		(cells) =>
			`<w:tr>${cells.map((cell) => `<w:tc>${paragraph(run(cell))}</w:tc>`).join('')}</w:tr>`,
	);
	const document = `${xml}<w:document xmlns:w="${namespaces}/wordprocessingml/2006/main" xmlns:r="${relationship}"><w:body>
${paragraph(`<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>${run(title)}`)}
${paragraphs.map((text) => paragraph(run(text))).join('\n')}
${link ? paragraph(`<w:hyperlink r:id="rId9">${run(link.text)}</w:hyperlink>`) : ''}
${rows.length > 0 ? `<w:tbl>${rows.join('')}</w:tbl>` : ''}
</w:body></w:document>`;
	return container({
		'[Content_Types].xml': contentTypes({
			'word/document.xml': `${office}.wordprocessingml.document.main+xml`,
			'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml',
		}),
		'_rels/.rels': relations([
			{ id: 'rId1', type: 'officeDocument', target: 'word/document.xml' },
			{ id: 'rId2', type: 'metadata/core-properties', target: 'docProps/core.xml' },
		]),
		'word/document.xml': document,
		'word/_rels/document.xml.rels': relations(
			link ? [{ id: 'rId9', type: 'hyperlink', target: link.url, external: true }] : [],
		),
		'docProps/core.xml': `${xml}<cp:coreProperties xmlns:cp="${namespaces}/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeHtml(title)}</dc:title></cp:coreProperties>`,
	});
}

export interface Sheet {
	name: string;
	rows: ReadonlyArray<readonly (string | number)[]>;
}

/** A workbook (.xlsx): its texts shared between the sheets, as spreadsheet programs write them. */
export function workbookFile(sheets: readonly Sheet[]): Buffer {
	const texts = [...new Set(sheets.flatMap(({ rows }) => rows.flat()).filter(isText))];
	const cell = (value: string | number, row: number, column: number): string => {
		const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
		return isText(value)
			? `<c ${at} t="s"><v>${texts.indexOf(value)}</v></c>`
			: `<c ${at}><v>${value}</v></c>`;
	};
	const sheetXml = ({ rows }: Sheet): string => {
		const lines = rows.map(
			(cells, row) =>
				`<row r="${row + 1}">${cells.map((value, column) => cell(value, row, column)).join('')}</row>`,
		);
		return `${xml}<worksheet xmlns="${namespaces}/spreadsheetml/2006/main"><sheetData>${lines.join('')}</sheetData></worksheet>`;
	};
	const path = (index: number): string => `worksheets/sheet${index + 1}.xml`;
	const named = sheets.map(
		({ name }, index) =>
			`<sheet name="${escapeHtml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
	);
	return container({
		'[Content_Types].xml': contentTypes({
			'xl/workbook.xml': `${office}.spreadsheetml.sheet.main+xml`,
			'xl/sharedStrings.xml': `${office}.spreadsheetml.sharedStrings+xml`,
			...Object.fromEntries(
				sheets.map((_, index) => [`xl/${path(index)}`, `${office}.spreadsheetml.worksheet+xml`]),
			),
		}),
		'_rels/.rels': relations([{ id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' }]),
		'xl/workbook.xml': `${xml}<workbook xmlns="${namespaces}/spreadsheetml/2006/main" xmlns:r="${relationship}"><sheets>${named.join('')}</sheets></workbook>`,
		'xl/_rels/workbook.xml.rels': relations([
			...sheets.map((_, index) => ({
				id: `rId${index + 1}`,
				type: 'worksheet',
				target: path(index),
			})),
			{ id: 'rId0', type: 'sharedStrings', target: 'sharedStrings.xml' },
		]),
		'xl/sharedStrings.xml': `${xml}<sst xmlns="${namespaces}/spreadsheetml/2006/main">${texts.map((text) => `<si><t>${escapeHtml(text)}</t></si>`).join('')}</sst>`,
		...Object.fromEntries(sheets.map((sheet, index) => [`xl/${path(index)}`, sheetXml(sheet)])),
	});
}

function isText(value: string | number): value is string {
	return typeof value === 'string';
}

/** A presentation's bones (.pptx): one title and one text per slide. */
export function presentationFile(slides: ReadonlyArray<{ title: string; text: string }>): Buffer {
	const drawing = `${namespaces}/drawingml/2006/main`;
	const main = `${namespaces}/presentationml/2006/main`;
	const shape = (text: string, kind: string): string =>
		`<p:sp><p:nvSpPr><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${escapeHtml(text)}</a:t></a:r></a:p></p:txBody></p:sp>`;
	const slide = ({ title, text }: { title: string; text: string }): string =>
		`${xml}<p:sld xmlns:p="${main}" xmlns:a="${drawing}"><p:cSld><p:spTree>${shape(title, 'title')}${shape(text, 'body')}</p:spTree></p:cSld></p:sld>`;
	const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`);
	return container({
		'[Content_Types].xml': contentTypes({
			'ppt/presentation.xml': `${office}.presentationml.presentation.main+xml`,
		}),
		'_rels/.rels': relations([
			{ id: 'rId1', type: 'officeDocument', target: 'ppt/presentation.xml' },
		]),
		'ppt/presentation.xml': `${xml}<p:presentation xmlns:p="${main}" xmlns:r="${relationship}"><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
		'ppt/_rels/presentation.xml.rels': relations(
			slides.map((_, index) => ({
				id: `rId${index + 1}`,
				type: 'slide',
				target: `slides/slide${index + 1}.xml`,
			})),
		),
		...Object.fromEntries(
			slides.map((each, index) => [`ppt/slides/slide${index + 1}.xml`, slide(each)]),
		),
	});
}

/** An OpenDocument text (.odt): a heading, paragraphs and a table. */
export function openDocumentFile({ title, paragraphs, table = [] }: WordContent): Buffer {
	const cell = (text: string): string =>
		`<table:table-cell><text:p>${escapeHtml(text)}</text:p></table:table-cell>`;
	const rows = table.map(
		(cells) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`,
	);
	const openDocument = 'urn:oasis:names:tc:opendocument:xmlns';
	return container({
		mimetype: 'application/vnd.oasis.opendocument.text',
		'content.xml': `${xml}<office:document-content xmlns:office="${openDocument}:office:1.0" xmlns:text="${openDocument}:text:1.0" xmlns:table="${openDocument}:table:1.0"><office:body><office:text>
<text:h text:outline-level="1">${escapeHtml(title)}</text:h>
${paragraphs.map((text) => `<text:p>${escapeHtml(text)}</text:p>`).join('\n')}
<table:table table:name="Table1">${rows.join('')}</table:table>
</office:text></office:body></office:document-content>`,
	});
}

/** An e-book (.epub) of one chapter per entry, listed in the container against reading order. */
export function bookFile(
	title: string,
	chapters: ReadonlyArray<{ title: string; text: string }>,
): Buffer {
	const name = (index: number): string => `chapter${index + 1}.xhtml`;
	const items = chapters.map(
		(_, index) =>
			`<item id="c${index + 1}" href="text/${name(index)}" media-type="application/xhtml+xml"/>`,
	);
	return container({
		mimetype: 'application/epub+zip',
		'META-INF/container.xml': `${xml}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
		'OEBPS/book.opf': `${xml}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeHtml(title)}</dc:title></metadata><manifest>${items.reverse().join('')}</manifest><spine>${chapters.map((_, index) => `<itemref idref="c${index + 1}"/>`).join('')}</spine></package>`,
		...Object.fromEntries(
			chapters.map(({ title: heading, text }, index) => [
				`OEBPS/text/${name(index)}`,
				`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${escapeHtml(heading)}</title></head><body><h1>${escapeHtml(heading)}</h1><p>${escapeHtml(text)}</p></body></html>`,
			]),
		),
	});
}
