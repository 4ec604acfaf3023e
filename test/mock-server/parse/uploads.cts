import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { Clock } from '../clock.cjs';
import { ApiError, forbidden, notFound } from '../errors.cjs';
import { listen } from '../loopback.cjs';
import { maxFileBytes, type UploadRequest } from '../schemas/parse.cjs';
import { MultipartBody, readMultipart, UploadedFile } from './multipart.cjs';

const minute = 60_000;
const day = 24 * 60 * minute;
const maxUnparsed = 10;

/** A file that a team may upload, and what came of it. */
export interface Upload {
	readonly ref: string;
	readonly teamId: string;
	readonly request: UploadRequest;
	readonly method: 'PUT' | 'POST';
	readonly issuedAt: number;
	readonly expiresAt: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly fields?: Readonly<Record<string, string>>;
	/** The path at the upload host, unknown to anybody else. */
	readonly path: string;
	file?: UploadedFile;
}

/** A request that reached the upload host. */
export interface UploadAttempt {
	method: string;
	path: string;
	headers: Record<string, string | string[] | undefined>;
	authorization: boolean;
	bytes: number;
	status: number;
}

/** The two-step uploads of `POST /parse`. */
export class Uploads {
	method: Upload['method'] = 'PUT';
	/** The address of the host that takes the files: never the service's own. */
	origin = '';
	readonly attempts: UploadAttempt[] = [];
	private readonly uploads = new Map<string, Upload>();

	constructor(private readonly clock: Clock) {}

	/** A link for one file. Throws 429 with too many files never parsed. */
	issue(teamId: string, request: UploadRequest): Upload {
		const now = this.clock.now();
		const unparsed = [...this.uploads.values()].filter(
			(each) => each.teamId === teamId && now < each.issuedAt + day,
		);
		if (unparsed.length >= maxUnparsed) {
			throw new ApiError(429, {
				code: 'PARSE_UPLOAD_UNPARSED_LIMIT_REACHED',
				error: `${maxUnparsed} uploads of the last 24 hours have not been parsed. Parse them first.`,
			});
		}
		const ref = `upload_${randomUUID()}`;
		const path = `/uploads/${randomUUID()}`;
		const type = request.contentType ?? 'application/octet-stream';
		const isPut = this.method === 'PUT';
		const upload: Upload = {
			ref,
			teamId,
			request,
			method: this.method,
			issuedAt: now,
			expiresAt: now + 10 * minute,
			path,
			headers: isPut ? { 'Content-Type': type } : {},
			fields: isPut
				? undefined
				: { key: path.slice(1), 'Content-Type': type, policy: randomUUID() },
		};
		this.uploads.set(ref, upload);
		return upload;
	}

	at(path: string): Upload | undefined {
		return [...this.uploads.values()].find((upload) => upload.path === path);
	}

	/** The uploaded file. Throws 403 for another team's, 404 for none and 400 before it was uploaded. */
	file(teamId: string, ref: string): UploadedFile {
		const upload = this.uploads.get(ref);
		if (!upload || this.clock.now() >= upload.issuedAt + day) throw notFound('Upload not found.');
		if (upload.teamId !== teamId) throw forbidden();
		if (upload.file) return upload.file;
		throw new ApiError(400, { code: 'BAD_REQUEST', error: 'The file has not been uploaded yet.' });
	}

	remove(ref: string): void {
		this.uploads.delete(ref);
	}

	/** What is wrong with a file for an upload; undefined when it can be taken. */
	refusal(upload: Upload, body: Buffer): string | undefined {
		if (this.clock.now() >= upload.expiresAt) return 'ExpiredToken';
		if (body.length > maxFileBytes) return 'EntityTooLarge';
		const { declaredSizeBytes = body.length } = upload.request;
		return body.length === declaredSizeBytes ? undefined : 'SizeDiffersFromTheDeclaredOne';
	}

	/** Back to the state after the start; the host stays where it is. */
	clear(): void {
		this.uploads.clear();
		this.attempts.length = 0;
		this.method = 'PUT';
	}
}

/** Starts the upload host, as strict as an object store: no Authorization header, exactly what was given, a known length. */
export async function startUploadHost(uploads: Uploads) {
	const server = createServer((request, response) => {
		// Of a request that is broken off nothing is left.
		const received = buffer(request).then((body) => receive(uploads, request, response, body));
		received.catch(() => undefined);
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

async function answer(
	uploads: Uploads,
	method: string,
	path: string,
	headers: IncomingMessage['headers'],
	body: Buffer,
): Promise<{ status: number; code?: string }> {
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
