import type { IDataObject } from 'n8n-workflow';
import type { FileReference } from '../../runtime/output/files';
import { plainMimeType } from '../../runtime/values/fileName';
import { parseUrl } from '../../runtime/values/parseUrl';
import { isRecord, fieldOf } from '../../runtime/values/record';
import { isUnparsedPdf } from './pdfs';

/**
 * The files in a document (https://docs.firecrawl.dev/api-reference/endpoint/scrape): links to screenshots, PDFs, audio and video, data
 * URIs, and base64 content.
 */

/** A file in a response, before it has a name. */
type UnnamedFile = Omit<FileReference, 'name'>;

const single = ['screenshot', 'audio', 'video'];
const lists = [['videos'], ['actions', 'screenshots'], ['actions', 'pdfs']];

function fileAt(path: Array<string | number>, content: unknown): UnnamedFile[] {
	if (typeof content !== 'string' || content === '') return [];
	const isLink = /^https?:\/\//i.test(content) && parseUrl(content) !== undefined;
	if (isLink) return [{ path, content, kind: 'link' }];
	if (/^data:[^,]*;base64,/i.test(content)) return [{ path, content, kind: 'dataUri' }];
	return [];
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The page itself as base64, with the type and URL of its metadata. */
function base64Files(document: IDataObject, prefix: Array<string | number>): UnnamedFile[] {
	const { metadata } = document;
	const isFile = (name: string, content: unknown): content is string =>
		name === 'rawBase64'
			? typeof content === 'string' && content !== ''
			: isUnparsedPdf(content, document);
	const mimeType = plainMimeType(fieldOf(metadata, 'contentType'));
	const url = text(fieldOf(metadata, 'url')) ?? text(fieldOf(metadata, 'sourceURL'));
	return ['rawBase64', 'markdown', 'html'].flatMap((name): UnnamedFile[] => {
		const content = document[name];
		if (!isFile(name, content)) return [];
		return [{ path: [...prefix, name], content, kind: 'base64', source: { url, mimeType } }];
	});
}

const fieldAt = (value: unknown, path: string[]): unknown => path.reduce(fieldOf, value);

function filesOfDocument(document: IDataObject, prefix: Array<string | number>): UnnamedFile[] {
	const listed = lists.flatMap((path) => {
		const entries = fieldAt(document, path);
		return Array.isArray(entries)
			? entries.flatMap((entry: unknown, index) => fileAt([...prefix, ...path, index], entry))
			: [];
	});
	const named = single.flatMap((name) => fileAt([...prefix, name], document[name]));
	return [...named, ...base64Files(document, prefix), ...listed];
}

/** The files of a result: of the document, or of each document in a whole response. */
function filesOf(json: IDataObject): UnnamedFile[] {
	const { data } = json;
	if (Array.isArray(data)) {
		return data.flatMap((entry: unknown, index) =>
			isRecord(entry) ? filesOfDocument(entry as IDataObject, ['data', index]) : [],
		);
	}
	if (!isRecord(data)) return filesOfDocument(json, []);
	const inside = Object.entries(data).flatMap(([name, entries]) =>
		Array.isArray(entries)
			? entries.flatMap((entry: unknown, index) =>
					isRecord(entry) ? filesOfDocument(entry as IDataObject, ['data', name, index]) : [],
				)
			: [],
	);
	return [...filesOfDocument(data as IDataObject, ['data']), ...inside];
}

/** A step of a field's path as part of a name; list names are the service's. */
const nameStep = (step: string | number) =>
	String(step)
		.slice(0, 40)
		.replace(/[^\p{L}\p{N}_-]/gu, '_');

/** The files of a result, each with a unique name. */
export function findFiles(json: IDataObject): FileReference[] {
	const counts = new Map<string, number>();
	return filesOf(json).map((spot) => {
		const name = spot.path.map(nameStep).join('_');
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		return { ...spot, name: count === 1 ? name : `${name}_${count}` };
	});
}
