import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { download } from './client';
import type { Result } from './operation';
import { settle } from './outcome';
import { parseUrl } from './parseUrl';
import { isRecord, memberOf } from './record';
import { persist, type Line } from './send';

/**
 * The files in a document (addendum 4, Document): links to screenshots, PDFs, audio and video, data
 * URIs, and base64 content.
 */

/** A file in an answer: where it stands, and its link, data URI or base64 text. */
export interface FileSpot {
	path: Array<string | number>;
	content: string;
	kind: 'link' | 'dataUri' | 'base64';
	/** Address and type of the page, which base64 content is. */
	page?: { url?: string; mimeType?: string };
}

const single = ['screenshot', 'audio', 'video'];
const lists = [['videos'], ['actions', 'screenshots'], ['actions', 'pdfs']];

function spotAt(path: Array<string | number>, content: unknown): FileSpot[] {
	if (typeof content !== 'string' || content === '') return [];
	const isLink = /^https?:\/\//i.test(content) && parseUrl(content) !== undefined;
	if (isLink) return [{ path, content, kind: 'link' }];
	if (/^data:[^,]*;base64,/i.test(content)) return [{ path, content, kind: 'dataUri' }];
	return [];
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The page itself as base64, with the type and the address that its metadata name. */
function pageSpot(
	{ rawBase64, metadata }: IDataObject,
	prefix: Array<string | number>,
): FileSpot[] {
	if (typeof rawBase64 !== 'string' || rawBase64 === '') return [];
	const mimeType = text(memberOf(metadata, 'contentType'))?.split(';')[0];
	const url = text(memberOf(metadata, 'url')) ?? text(memberOf(metadata, 'sourceURL'));
	const path = [...prefix, 'rawBase64'];
	return [{ path, content: rawBase64, kind: 'base64', page: { url, mimeType } }];
}

const memberAt = (value: unknown, path: string[]): unknown => path.reduce(memberOf, value);

function spotsOfDocument(document: IDataObject, prefix: Array<string | number>): FileSpot[] {
	const listed = lists.flatMap((path) => {
		const entries = memberAt(document, path);
		return Array.isArray(entries)
			? entries.flatMap((entry: unknown, index) => spotAt([...prefix, ...path, index], entry))
			: [];
	});
	const named = single.flatMap((name) => spotAt([...prefix, name], document[name]));
	return [...named, ...pageSpot(document, prefix), ...listed];
}

/** The files of a result: of the document itself, or of the documents inside a whole response. */
export function fileSpots(json: IDataObject): FileSpot[] {
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

/** Name of the binary field for a file: `screenshot`, `actions_pdfs_0`, `data_web_2_screenshot`. */
export const binaryName = ({ path }: FileSpot) => path.join('_');

/** File name at the end of a link, when it has one with an extension. */
export function fileNameOf(url: string): string | undefined {
	const name = parseUrl(url)?.pathname.split('/').pop();
	return name !== undefined && /\.[a-z0-9]{2,5}$/i.test(name) ? name : undefined;
}

/** A file that came inside the answer. Type and name are undefined when the answer does not tell. */
export function inlineFile(spot: FileSpot): {
	buffer: Buffer;
	mimeType?: string;
	fileName?: string;
} {
	const { content, kind, page } = spot;
	if (kind === 'base64') {
		const buffer = Buffer.from(content, 'base64');
		return { buffer, mimeType: page?.mimeType, fileName: page?.url && fileNameOf(page.url) };
	}
	const comma = content.indexOf(',');
	const [mimeType] = content.slice('data:'.length, comma).split(';');
	const extension = mimeType.split('/').at(1);
	return {
		buffer: Buffer.from(content.slice(comma + 1), 'base64'),
		mimeType,
		fileName: extension && `${binaryName(spot)}.${extension}`,
	};
}

/** The same JSON with the file's content replaced by a short mark; links stay, for they cost nothing. */
export function withoutContent(json: IDataObject, { path, kind }: FileSpot): IDataObject {
	if (kind === 'link') return json;
	const replace = (value: unknown, [step, ...rest]: Array<string | number>): unknown => {
		if (step === undefined) return `see binary data '${path.join('_')}'`;
		if (Array.isArray(value)) {
			return value.map((entry: unknown, index) => (index === step ? replace(entry, rest) : entry));
		}
		return isRecord(value) ? { ...value, [step]: replace(value[step], rest) } : value;
	};
	return replace(json, path) as IDataObject;
}

async function fetchFile(
	spot: FileSpot,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
	line: Line,
	most: number,
): Promise<IBinaryData> {
	if (spot.kind !== 'link') {
		const { buffer, mimeType, fileName } = inlineFile(spot);
		return await helpers.prepareBinaryData(buffer, fileName, mimeType);
	}
	const fetchOnce = async () => await download(line.context, spot.content, most);
	const { body, headers } = await persist(fetchOnce, 'read', { ...line, gate: undefined });
	const type = headers['content-type'];
	const mimeType = typeof type === 'string' ? type.split(';')[0] : undefined;
	return await helpers.prepareBinaryData(body as Buffer, fileNameOf(spot.content), mimeType);
}

/**
 * A result with its files as binary data, each of `most` megabytes at the most. A file that cannot be had is named in `fileErrors` with the
 * reason, for the result is paid for and stays.
 */
export async function withFiles(
	{ json, binary }: Result,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
	line: Line,
	most: number,
): Promise<Result> {
	const files: Record<string, IBinaryData> = {};
	const fileErrors: IDataObject = {};
	let rest = json;
	for (const spot of fileSpots(json)) {
		const file = await settle(fetchFile(spot, helpers, line, most));
		if ('error' in file) {
			const from = spot.kind === 'link' ? `${new URL(spot.content).host}: ` : '';
			fileErrors[binaryName(spot)] = from + file.error.message;
		} else {
			files[binaryName(spot)] = file.value;
			rest = withoutContent(rest, spot);
		}
	}
	return {
		json: Object.keys(fileErrors).length > 0 ? { ...rest, fileErrors } : rest,
		binary: { ...binary, ...files },
	};
}
