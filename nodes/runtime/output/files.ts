import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { download } from '../http/client';
import { pluralize } from '../values/pluralize';
import { plainFileName, plainMimeType, unknownType } from '../values/fileName';
import type { Result } from '../operation/operation';
import { settle } from '../values/settle';
import { parseUrl } from '../values/parseUrl';
import { isRecord, memberOf } from '../values/record';
import { sendWithRetries, type RequestContext } from '../http/send';
import { isUnparsedPdf } from './unparsedPdf';

/**
 * The files in a document (https://docs.firecrawl.dev/api-reference/endpoint/scrape): links to screenshots, PDFs, audio and video, data
 * URIs, and base64 content.
 */

/** A place in an answer where a file stands, and its link, data URI or base64 text. */
interface Spot {
	path: Array<string | number>;
	content: string;
	kind: 'link' | 'dataUri' | 'base64';
	/** Address and type of the page, which base64 content is. */
	page?: { url?: string; mimeType?: string };
}

/** A file in an answer. */
export interface FileSpot extends Spot {
	/** Name of its binary field: `screenshot`, `actions_pdfs_0`, `data_web_2_screenshot`. */
	name: string;
}

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
	const mimeType = plainMimeType(memberOf(metadata, 'contentType'));
	const url = text(memberOf(metadata, 'url')) ?? text(memberOf(metadata, 'sourceURL'));
	return ['rawBase64', 'markdown', 'html'].flatMap((name): Spot[] => {
		const content = document[name];
		if (!isFile(name, content)) return [];
		return [{ path: [...prefix, name], content, kind: 'base64', page: { url, mimeType } }];
	});
}

const memberAt = (value: unknown, path: string[]): unknown => path.reduce(memberOf, value);

function spotsOfDocument(document: IDataObject, prefix: Array<string | number>): Spot[] {
	const listed = lists.flatMap((path) => {
		const entries = memberAt(document, path);
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
export function fileSpots(json: IDataObject): FileSpot[] {
	const counts = new Map<string, number>();
	return spotsOf(json).map((spot) => {
		const name = spot.path.map(nameStep).join('_');
		const count = (counts.get(name) ?? 0) + 1;
		counts.set(name, count);
		return { ...spot, name: count === 1 ? name : `${name}_${count}` };
	});
}

/** File name at the end of a link, when it has one with an extension. */
export function fileNameOf(url: string): string | undefined {
	const name = parseUrl(url)?.pathname.split('/').pop();
	return name !== undefined && /\.[a-z0-9]{2,5}$/i.test(name) ? plainFileName(name) : undefined;
}

/** A file that came inside the answer. Type and name are undefined when the answer does not tell. */
export function inlineFile(spot: FileSpot): {
	buffer: Buffer;
	mimeType?: string;
	fileName?: string;
} {
	const { content, kind, name, page } = spot;
	if (kind === 'base64') {
		const buffer = Buffer.from(content, 'base64');
		return { buffer, mimeType: page?.mimeType, fileName: page?.url && fileNameOf(page.url) };
	}
	const comma = content.indexOf(',');
	const mimeType = plainMimeType(content.slice('data:'.length, comma).split(';', 1)[0]);
	const extension = mimeType === unknownType ? undefined : mimeType?.split('/').at(1);
	return {
		buffer: Buffer.from(content.slice(comma + 1), 'base64'),
		mimeType,
		fileName: extension && `${name}.${extension}`,
	};
}

/** The same JSON with the file's content replaced by a short mark; links stay, for they cost nothing. */
export function withoutContent(json: IDataObject, { path, kind, name }: FileSpot): IDataObject {
	if (kind === 'link') return json;
	const replace = (value: unknown, [step, ...rest]: Array<string | number>): unknown => {
		if (step === undefined) return `see binary data '${name}'`;
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
	line: RequestContext,
	most: number,
): Promise<IBinaryData> {
	if (spot.kind !== 'link') {
		const { buffer, mimeType, fileName } = inlineFile(spot);
		return await helpers.prepareBinaryData(buffer, fileName, mimeType);
	}
	const { context, inPrivateNetwork } = line;
	const fetchOnce = async () => await download(context, spot.content, most, inPrivateNetwork);
	const { body, headers } = await sendWithRetries(fetchOnce, 'safe', {
		...line,
		rateLimiters: undefined,
	});
	const mimeType = plainMimeType(headers['content-type']);
	return await helpers.prepareBinaryData(body as Buffer, fileNameOf(spot.content), mimeType);
}

/** Most files of a result that are fetched; the largest page has a few dozen. */
const mostFiles = 100;

/**
 * A result with its files as binary data, each of `most` megabytes at the most. A file that cannot be had is named in `fileErrors` with the
 * reason, for the result is paid for and stays.
 */
export async function withFiles(
	{ json, binary }: Result,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
	line: RequestContext,
	most: number,
): Promise<Result> {
	const files: Record<string, IBinaryData> = {};
	const fileErrors: IDataObject = {};
	let rest = json;
	const spots = fileSpots(json);
	for (const spot of spots.slice(0, mostFiles)) {
		const { name } = spot;
		const file = await settle(fetchFile(spot, helpers, line, most));
		if (!file.ok) {
			const from = spot.kind === 'link' ? `${new URL(spot.content).host}: ` : '';
			fileErrors[name] = from + file.error.message;
		} else {
			files[name] = file.value;
			rest = withoutContent(rest, spot);
		}
	}
	const others = spots.length - mostFiles;
	if (others > 0) {
		fileErrors.others = `${pluralize(others, 'file')} left out: ${mostFiles} of a result are fetched at the most`;
	}
	return {
		json: Object.keys(fileErrors).length > 0 ? { ...rest, fileErrors } : rest,
		binary: { ...binary, ...files },
	};
}
