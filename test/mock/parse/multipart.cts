import { ApiError } from '../errors.cjs';

/** A file part of a form. In JSON (the log over HTTP) its bytes give way to their number. */
export class UploadedFile {
	constructor(
		readonly filename: string,
		readonly contentType: string,
		readonly body: Buffer,
	) {}

	toJSON(): { filename: string; contentType: string; bytes: number } {
		const { filename, contentType, body } = this;
		return { filename, contentType, bytes: body.length };
	}
}

/** A `multipart/form-data` body: its parts in the order sent, text parts as strings. */
export class MultipartBody {
	constructor(
		readonly parts: ReadonlyArray<readonly [name: string, value: string | UploadedFile]>,
	) {}
}

/** Reads a multipart body by the boundary in its content type; 400 for what is none. */
export async function readMultipart(body: Buffer, contentType: string): Promise<MultipartBody> {
	const form = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
	const parts = await form.formData().catch(() => {
		const error = 'Invalid multipart form-data request.';
		throw new ApiError(400, { code: 'BAD_REQUEST', error });
	});
	return new MultipartBody(
		await Promise.all(
			[...parts.entries()].map(async ([name, value]) => {
				if (typeof value === 'string') return [name, value] as const;
				const bytes = Buffer.from(await value.arrayBuffer());
				return [name, new UploadedFile(value.name, value.type, bytes)] as const;
			}),
		),
	);
}
