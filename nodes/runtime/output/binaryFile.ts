import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { plainFileName } from './files';

type BinaryHelpers = Pick<IExecuteFunctions['helpers'], 'getBinaryMetadata' | 'getBinaryStream'>;

/** Size of base64 content in bytes. */
const bytesOfBase64 = (text: string) =>
	Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

/** Size of a file in bytes, as far as n8n knows it without opening the file. */
export function knownSize({ bytes, id, data }: IBinaryData): number | undefined {
	if (bytes !== undefined) return bytes;
	return id === undefined ? bytesOfBase64(data) : undefined;
}

/**
 * An input file whose bytes are streamed while it is sent, and again for every attempt. n8n's file
 * and S3 storage is never read into memory as a whole.
 */
class BinaryFile extends File {
	constructor(
		{ fileName = '', mimeType }: IBinaryData,
		override readonly size: number,
		private readonly read: () => AsyncIterable<Uint8Array<ArrayBuffer>>,
	) {
		super([], plainFileName(fileName) ?? 'file', { type: mimeType });
	}

	override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
		const chunks = this.read()[Symbol.asyncIterator]();
		return new ReadableStream({
			async pull(controller) {
				const { done, value } = await chunks.next();
				if (done) controller.close();
				else controller.enqueue(value);
			},
			async cancel() {
				await chunks.return?.();
			},
		});
	}
}

/** Opens an input file for sending. @throws if n8n has deleted it */
export async function fileOf(data: IBinaryData, helpers: BinaryHelpers): Promise<File> {
	const { id } = data;
	if (id === undefined) {
		const buffer = Buffer.from(data.data, 'base64');
		return new BinaryFile(data, buffer.length, async function* () {
			yield await Promise.resolve(buffer);
		});
	}
	const { fileSize } = await helpers.getBinaryMetadata(id);
	return new BinaryFile(data, fileSize, async function* () {
		for await (const chunk of await helpers.getBinaryStream(id)) yield new Uint8Array(chunk);
	});
}
