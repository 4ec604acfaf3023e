import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { plainFileName } from '../values/fileName';

type BinaryHelpers = Pick<IExecuteFunctions['helpers'], 'getBinaryMetadata' | 'getBinaryStream'>;

/** Bytes of base64 text. */
const bytesOfBase64 = (text: string) =>
	Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

/** How large a file is, as far as n8n knows without opening it, in bytes. */
export function knownSize({ bytes, id, data }: IBinaryData): number | undefined {
	if (bytes !== undefined) return bytes;
	return id === undefined ? bytesOfBase64(data) : undefined;
}

/**
 * A file of an input item whose bytes are read only while it is sent, and anew when it is sent again:
 * what n8n keeps on disk or in a store is never held in memory as a whole.
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

/** Opens a file of an input item for sending. @throws when n8n has it no more */
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
