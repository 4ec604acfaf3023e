import type { IDataObject } from 'n8n-workflow';
import type { FileReference } from '../../runtime/output/files';
import { plainMimeType } from '../../runtime/values/fileName';
import { parseUrl } from '../../runtime/values/parseUrl';
import { isRecord, fieldOf } from '../../runtime/values/record';
import { isUnparsedPdf } from './unparsedPdf';

/**
 * The files in a document (https://docs.firecrawl.dev/api-reference/endpoint/scrape): links to screenshots, PDFs, audio and video, data
 * URIs, and base64 content.
 */

/** A file in an answer, before it has a name. */
type Spot = Omit<FileReference, 'name'>;

const single = ['screenshot', 'audio', 'video'];
const lists = [['videos'], ['actions', 'screenshots'], ['actions', 'pdfs']];

function spotAt(path: Array<string | number>, content: unknown): Spot[] {
	if (typeof content !== 'string' || content === '') return [];
	const isLink = /^https?:\/\//i.test(content) && parseUrl(content) !== undefined;
	if (isLink) return [{ path, content, kind: 'link' }];
	if (/^data:[^,]*;base64,/i.test(content)) return [{ path, content, kind: 'dataUri' }];
	return [];
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The page itself as base64, with the type and the address that its metadata name. */
function pageSpots(document: IDataObject, prefix: Array<string | number>): Spot[] {
	const { metadata } = document;
	const isFile = (name: string, content: unknown): content is string =>
		name === 'rawBase64'
			? typeof content === 'string' && content !== ''
			: isUnparsedPdf(content, document);
	const mimeType = plainMimeType(fieldOf(metadata, 'contentType'));
	const url = text(fieldOf(metadata, 'url')) ?? text(fieldOf(metadata, 'sourceURL'));
	return ['rawBase64', 'markdown', 'html'].flatMap((name): Spot[] => {
		const content = document[name];
		if (!isFile(name, content)) return [];
		return [{ path: [...prefix, name], content, kind: 'base64', source: { url, mimeType } }];
	});
}

const fieldAt = (value: unknown, path: string[]): unknown => path.reduce(fieldOf, value);

function spotsOfDocument(document: IDataObject, prefix: Array<string | number>): Spot[] {
	const listed = lists.flatMap((path) => {
		const entries = fieldAt(document, path);
		return Array.isArray(entries)
			? entries.flatMap((entry: unknown, index) => spotAt([...prefix, ...path, index], entry))
			: [];
	});
	const named = single.flatMap((name) => spotAt([...prefix, name], document[name]));
	return [...named, ...pageSpots(document, prefix), ...listed];
}

/** The files of a result: of the document itself, or of the documents inside a whole response. */
function spotsOf(json: IDataObject): Spot[] {
	const { data } = json;
	if (Array.isArray(data)) {
		return data.flatMap((entry: unknown, index) =>
			isRecord(entry) ? spotsOfDocument(entry as IDataObject, ['data', index]) : [],
		);
	}
	if (!isRecord(data)) return spotsOfDocument(json, []);
	const inside = Object.entries(data).flatMap(([name, entries]) =>
		Array.isArray(entries)
			? entries.flatMap((entry: unknown, index) =>
					isRecord(entry) ? spotsOfDocument(entry as IDataObject, ['data', name, index]) : [],
				)
			: [],
	);
	return [...spotsOfDocument(data as IDataObject, ['data']), ...inside];
}

/** A step of a field's name: the names of lists are the service's. */
const nameStep = (step: string | number) =>
	String(step)
		.slice(0, 40)
		.replace(/[^\p{L}\p{N}_-]/gu, '_');

/** The files of a result, each with a name of its own. */
export function findFiles(json: IDataObject): FileReference[] {
	const counts = new Map<string, number>();
	return spotsOf(json).map((spot) => {
		const name = spot.path.map(nameStep).join('_');
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		return { ...spot, name: count === 1 ? name : `${name}_${count}` };
	});
}
