import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { listen } from '../loopback.cjs';
import { MultipartBody, readMultipart, UploadedFile } from './multipart.cjs';
import type { Upload, Uploads } from './uploads.cjs';

/** The host that signed upload links lead to: another origin than the service's. */
export interface UploadHost {
	readonly url: string;
	close(): Promise<void>;
}

/**
 * Starts the upload host on 127.0.0.1. It is as strict as an object store: no Authorization header
 * beside the link's own signature, exactly the headers or fields that were given, a known length.
 */
export async function startUploadHost(uploads: Uploads): Promise<UploadHost> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => void receive(uploads, request, response, Buffer.concat(chunks)));
	});
	const { port, close } = await listen(server);
	return { url: `http://127.0.0.1:${port}`, close };
}

async function receive(
	uploads: Uploads,
	{ method = '', url: path = '', headers }: IncomingMessage,
	response: ServerResponse,
	body: Buffer,
): Promise<void> {
	const authorization = headers.authorization !== undefined;
	const { status, code } = await answer(uploads, method, path, headers, body);
	uploads.attempts.push({ method, path, headers, authorization, bytes: body.length, status });
	response.writeHead(status, { 'content-type': 'application/xml' });
	response.end(code && `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}

interface StoreAnswer {
	status: number;
	/** The fault, as object stores name them. */
	code?: string;
}

async function answer(
	uploads: Uploads,
	method: string,
	path: string,
	headers: IncomingMessage['headers'],
	body: Buffer,
): Promise<StoreAnswer> {
	if (headers.authorization !== undefined) return { status: 400, code: 'InvalidArgument' };
	const upload = uploads.at(path);
	if (!upload) return { status: 403, code: 'AccessDenied' };
	if (method !== upload.method) return { status: 405, code: 'MethodNotAllowed' };
	if (headers['content-length'] === undefined) {
		return { status: 411, code: 'MissingContentLength' };
	}
	const type = headers['content-type'];
	const file =
		method === 'PUT' ? putFile(upload, type, body) : await postedFile(upload, type, body);
	if (!file) return { status: 403, code: 'SignatureDoesNotMatch' };
	const refusal = uploads.refusal(upload, file.body);
	if (refusal) return { status: refusal === 'ExpiredToken' ? 403 : 400, code: refusal };
	upload.file = file;
	return { status: method === 'PUT' ? 200 : 204 };
}

/** The file of a raw body; undefined unless its headers are the ones given. */
function putFile(
	{ headers, request }: Upload,
	type: string | undefined,
	body: Buffer,
): UploadedFile | undefined {
	if (type !== headers['Content-Type']) return undefined;
	return new UploadedFile(request.filename, type, body);
}

/** The file of a form; undefined unless exactly the given fields come first and `file` after them. */
async function postedFile(
	{ fields = {}, request }: Upload,
	type: string | undefined,
	body: Buffer,
): Promise<UploadedFile | undefined> {
	const none = new MultipartBody([]);
	const { parts } = await readMultipart(body, type ?? '').catch(() => none);
	const last = parts.at(-1);
	if (!last || last[0] !== 'file' || !(last[1] instanceof UploadedFile)) return undefined;
	const given = Object.fromEntries(parts.slice(0, -1));
	const expected = Object.entries(fields);
	const same = expected.every(([name, value]) => given[name] === value);
	if (!same || parts.length !== expected.length + 1) return undefined;
	return new UploadedFile(request.filename, last[1].contentType, last[1].body);
}
