import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { download } from '../http/client';
import { pluralize } from '../values/pluralize';
import { plainFileName, plainMimeType, unknownType } from '../values/fileName';
import type { Result } from '../operation/operation';
import { settle } from '../values/settle';
import { parseUrl } from '../values/parseUrl';
import { isRecord } from '../values/record';
import { sendWithRetries, type RequestContext } from '../http/send';

/** A file in an answer: its place there, and its link, data URI or base64 text. */
export interface FileReference {
	path: Array<string | number>;
	content: string;
	kind: 'link' | 'dataUri' | 'base64';
	/** Name of its binary field: `screenshot`, `actions_pdfs_0`, `data_web_2_screenshot`. */
	name: string;
	/** Address and type of what base64 content is, where the answer tells them. */
	source?: { url?: string; mimeType?: string };
}

/** File name at the end of a link, when it has one with an extension. */
export function fileNameOf(url: string): string | undefined {
	const name = parseUrl(url)?.pathname.split('/').pop();
	return name !== undefined && /\.[a-z0-9]{2,5}$/i.test(name) ? plainFileName(name) : undefined;
}

/** A file that came inside the answer. Type and name are undefined when the answer does not tell. */
export function inlineFile(spot: FileReference): {
	buffer: Buffer;
	mimeType?: string;
	fileName?: string;
} {
	const { content, kind, name, source } = spot;
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

/** The same JSON with the file's content replaced by a short mark; links stay, for they cost nothing. */
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

async function fetchFile(
	spot: FileReference,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
	requestContext: RequestContext,
	most: number,
): Promise<IBinaryData> {
	if (spot.kind !== 'link') {
		const { buffer, mimeType, fileName } = inlineFile(spot);
		return await helpers.prepareBinaryData(buffer, fileName, mimeType);
	}
	const { context, inPrivateNetwork } = requestContext;
	const fetchOnce = async () => await download(context, spot.content, most, inPrivateNetwork);
	const { body, headers } = await sendWithRetries(fetchOnce, 'free', {
		...requestContext,
		rateLimiters: undefined,
	});
	const mimeType = plainMimeType(headers['content-type']);
	return await helpers.prepareBinaryData(body as Buffer, fileNameOf(spot.content), mimeType);
}

/** Most files of a result that are fetched; the largest one has a few dozen. */
const mostFiles = 100;

/**
 * A result with its files as binary data, each of `most` megabytes at the most. A file that cannot be had is named in `fileErrors` with the
 * reason, for the result is paid for and stays.
 */
export async function withFiles(
	{ json, binary }: Result,
	spots: FileReference[],
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
	requestContext: RequestContext,
	most: number,
): Promise<Result> {
	const files: Record<string, IBinaryData> = {};
	const fileErrors: IDataObject = {};
	let rest = json;
	for (const spot of spots.slice(0, mostFiles)) {
		const { name } = spot;
		const file = await settle(fetchFile(spot, helpers, requestContext, most));
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
