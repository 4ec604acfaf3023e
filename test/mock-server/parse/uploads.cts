import { randomUUID } from 'node:crypto';

import type { Clock } from '../clock.cjs';
import { ApiError, forbidden, notFound } from '../errors.cjs';
import { maxFileBytes, type UploadRequest } from '../schemas/parse.cjs';
import { UploadedFile } from './multipart.cjs';

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
	/** Until when the link takes the file. */
	readonly expiresAt: number;
	/** Headers that a PUT must carry. */
	readonly headers: Readonly<Record<string, string>>;
	/** Text parts that a POST must carry before its file. */
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
	/** Whether the client sent its API key, or any other Authorization header, to the stranger. */
	authorization: boolean;
	bytes: number;
	status: number;
}

/** The two-step uploads of `POST /parse`. */
export class Uploads {
	/** `false`: the service has no storage to upload to, 503. */
	configured = true;
	/** How new links want the file. */
	method: Upload['method'] = 'PUT';
	/** The address of the host that takes the files: never the service's own. */
	origin = '';
	/** Every request that the upload host has received. */
	readonly attempts: UploadAttempt[] = [];
	private readonly uploads = new Map<string, Upload>();

	constructor(private readonly clock: Clock) {}

	/** A link for one file. Throws 503 without storage and 429 with too many files never parsed. */
	issue(teamId: string, request: UploadRequest): Upload {
		if (!this.configured) throw new ApiError(503, { error: 'File uploads are not configured.' });
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
		const upload: Upload = {
			ref,
			teamId,
			request,
			method: this.method,
			issuedAt: now,
			expiresAt: now + 10 * minute,
			path,
			...(this.method === 'PUT'
				? { headers: { 'Content-Type': type } }
				: {
						headers: {},
						fields: { key: path.slice(1), 'Content-Type': type, policy: randomUUID() },
					}),
		};
		this.uploads.set(ref, upload);
		return upload;
	}

	/** The upload behind a path of the upload host. */
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

	/** Forgets an upload that has been parsed. */
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
		this.configured = true;
		this.method = 'PUT';
	}
}
