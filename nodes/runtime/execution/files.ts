import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { download } from '../http/download';
import { oneLine, parseUrl, pluralize } from '../values/text';
import type { FileReference, Result } from '../operation';
import { attempt, settle } from '../values/outcome';
import { isRecord } from '../values/record';
import { sendWithRetries, type RequestContext } from '../http/send';

/** Longest file name, in characters. */
const longestName = 200;

/** Makes a foreign file name safe to show, store and send: its last segment, up to 200 characters; undefined if empty. */
export function plainFileName(given: string): string | undefined {
	const lastStep = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
	const name = oneLine(lastStep);
	if (name === '' || name === '.' || name === '..') return undefined;
	// The end of a long name has its extension, by which the service knows the type.
	return [...name].slice(-longestName).join('');
}

/** MIME type of a file of unknown type. */
const unknownType = 'application/octet-stream';

/** A type and its subtype (RFC 6838, 4.2). */
const mimeType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** Normalizes a foreign MIME type without parameters; the unknown type if invalid, undefined if empty. */
export function plainMimeType(given: unknown): string | undefined {
	if (typeof given !== 'string' || given === '') return undefined;
	const type = given.split(';', 1)[0].trim().toLowerCase();
	return mimeType.test(type) ? type : unknownType;
}

/** Decodes percent-encoded UTF-8; another text stays. */
function decodeText(text: string): string {
	const outcome = attempt(() => decodeURIComponent(text));
	return outcome.ok ? outcome.value : text;
}

/** The file name at the end of a URL, if it has an extension. */
export function fileNameOf(url: string): string | undefined {
	const name = decodeText(parseUrl(url)?.pathname.split('/').pop() ?? '');
	return /\.[a-z0-9]{2,5}$/i.test(name) ? plainFileName(name) : undefined;
}

/** The file name in a Content-Disposition header (RFC 6266), if any. */
function dispositionName(header: unknown): string | undefined {
	const text = typeof header === 'string' ? header.slice(0, 2_000) : '';
	const [, encoded] = /filename\*=utf-8'[^']*'([^;\s]+)/i.exec(text) ?? [];
	const [, quoted, plain] = /filename=(?:"([^"]*)"|([^;\s"]+))/i.exec(text) ?? [];
	const name = encoded === undefined ? (quoted ?? plain) : decodeText(encoded);
	return name === undefined ? undefined : plainFileName(name);
}

/** Decodes a file inside a response. Type and name are undefined if the response has none. */
export function inlineFile({ content, kind, name, source }: FileReference) {
	if (kind === 'base64') {
		const buffer = Buffer.from(content, 'base64');
		return { buffer, mimeType: source?.mimeType, fileName: source?.url && fileNameOf(source.url) };
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

/** Replaces a file's content by a short note. Keeps links, which are short. */
export function withoutContent(
	json: IDataObject,
	{ path, kind, name }: FileReference,
): IDataObject {
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

/** Largest file in megabytes; n8n's memory holds a few of them at once. */
const largestFile = 100;

async function fetchFile(
	reference: FileReference,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
	requestContext: RequestContext,
): Promise<IBinaryData> {
	if (reference.kind !== 'link') {
		const { buffer, mimeType, fileName } = inlineFile(reference);
		return await helpers.prepareBinaryData(buffer, fileName, mimeType);
	}
	const { context, inPrivateNetwork } = requestContext;
	const fetchOnce = async () =>
		await download(context, reference.content, largestFile, inPrivateNetwork);
	const ofFile = { ...requestContext, limiters: undefined };
	const { body, headers } = await sendWithRetries(fetchOnce, ofFile);
	const mimeType = plainMimeType(headers['content-type']);
	const content = body as Buffer;
	if (content.length === 0) throw new Error('the host returned an empty file');
	// Links lead to screenshots, PDFs, audio and video.
	if (mimeType === 'text/html')
		throw new Error('the host returned an HTML page instead of the file');
	const name = dispositionName(headers['content-disposition']) ?? fileNameOf(reference.content);
	return await helpers.prepareBinaryData(content, name, mimeType);
}

/** Most files of a result that are downloaded; the largest results have a few dozen. */
const mostFiles = 100;

/** Moves the files of a result to binary data; a failed download is in `fileErrors`, as it was charged. */
export async function withFiles(
	{ json, binary }: Result,
	references: FileReference[],
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
	requestContext: RequestContext,
): Promise<Result> {
	const files: Record<string, IBinaryData> = {};
	const fileErrors: IDataObject = {};
	let rest = json;
	for (const reference of references.slice(0, mostFiles)) {
		const { name } = reference;
		const file = await settle(fetchFile(reference, helpers, requestContext));
		if (!file.ok) {
			const from = reference.kind === 'link' ? `${new URL(reference.content).host}: ` : '';
			fileErrors[name] = from + file.error.message;
		} else {
			files[name] = file.value;
			rest = withoutContent(rest, reference);
		}
	}
	const others = references.length - mostFiles;
	if (others > 0) {
		fileErrors.others = `${pluralize(others, 'file')} omitted: at most ${mostFiles} files per result are downloaded`;
	}
	return {
		json: Object.keys(fileErrors).length > 0 ? { ...rest, fileErrors } : rest,
		binary: { ...binary, ...files },
	};
}

/** Size of base64 content in bytes. */
const bytesOfBase64 = (text: string) =>
	Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

/** Size of a file in bytes, as far as n8n knows it without opening the file. */
export function knownSize({ bytes, id, data }: IBinaryData): number | undefined {
	if (bytes !== undefined) return bytes;
	return id === undefined ? bytesOfBase64(data) : undefined;
}

/** Largest file that the service accepts, in bytes; it is in memory as long as it is sent. */
const largestUpload = 50 * 1024 * 1024;

/** The problem with the size of an input file in bytes, if any. */
export function sizeProblem(size: number): string | undefined {
	if (size === 0) return 'is empty';
	const megabytes = (size / (1024 * 1024)).toFixed(1);
	return size > largestUpload ? `has ${megabytes} MB, and the limit is 50 MB` : undefined;
}

type InputHelpers = Pick<
	IExecuteFunctions['helpers'],
	'binaryToBuffer' | 'getBinaryMetadata' | 'getBinaryStream'
>;

/** Reads an input file for sending. @throws if n8n has deleted it, or its size is a problem */
export async function fileOf(
	{ id, data, fileName = '', mimeType }: IBinaryData,
	helpers: InputHelpers,
): Promise<File> {
	const size =
		id === undefined ? bytesOfBase64(data) : (await helpers.getBinaryMetadata(id)).fileSize;
	const problem = sizeProblem(size);
	if (problem !== undefined) throw new Error(`it ${problem}`);
	const content =
		id === undefined
			? Buffer.from(data, 'base64')
			: await helpers.binaryToBuffer(await helpers.getBinaryStream(id));
	return new File([new Uint8Array(content)], plainFileName(fileName) ?? 'file', { type: mimeType });
}
