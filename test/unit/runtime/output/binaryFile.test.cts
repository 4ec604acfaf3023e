import { Readable } from 'node:stream';
import type { IBinaryData } from 'n8n-workflow';
import { fileOf, knownSize } from '../../../../nodes/runtime/output/binaryFile';

const text = 'high tide at six';
const inMemory: IBinaryData = {
	data: Buffer.from(text).toString('base64'),
	mimeType: 'text/html',
	fileName: 'fees.html',
};
const onDisk: IBinaryData = { ...inMemory, data: 'filesystem-v2', id: 'filesystem-v2:a' };

/** n8n's storage with one file, and notes of how often it was read and whether a read was ended. */
function storage(content = text) {
	const reads: Readable[] = [];
	return {
		reads,
		getBinaryMetadata: async (id: string) => {
			if (id !== onDisk.id) throw new Error('File not found');
			return await Promise.resolve({ fileSize: content.length });
		},
		getBinaryStream: async () => {
			const read = Readable.from(content.match(/.{1,4}/gs)?.map((part) => Buffer.from(part)) ?? []);
			reads.push(read);
			return await Promise.resolve(read);
		},
	};
}

describe('The known size of a file', () => {
	it.each<[string, Partial<IBinaryData>, number | undefined]>([
		['what n8n counted', { bytes: 7 }, 7],
		['what n8n counted, though it is nothing', { bytes: 0 }, 0],
		['of base64', {}, text.length],
		['of base64 with one filling', { data: 'eHk=' }, 2],
		['of base64 with two', { data: 'eA==' }, 1],
		['of base64 without', { data: 'eHl6' }, 3],
		['of base64 that leaves its filling out', { data: 'eA' }, 1],
		['of nothing', { data: '' }, 0],
		['on disk: unknown', { data: 'filesystem-v2', id: 'a' }, undefined],
	])('is right for %s', (_, change, size) => {
		expect(knownSize({ ...inMemory, ...change })).toBe(size);
	});
});

describe.each<[string, IBinaryData]>([
	['in memory', inMemory],
	['on disk', onDisk],
])('A file %s', (_place, data) => {
	it('has a name, type and size, and is a File', async () => {
		const file = await fileOf(data, storage());
		expect(file).toBeInstanceOf(File);
		expect([file.name, file.type, file.size]).toEqual(['fees.html', 'text/html', text.length]);
		const form = new FormData();
		form.append('file', file);
		expect(form.get('file')).toBe(file);
	});

	it('has a safe name', async () => {
		const names = ['../a\r\nb\u202e.html', undefined, '\n'].map(
			async (fileName) => (await fileOf({ ...data, fileName }, storage())).name,
		);
		expect(await Promise.all(names)).toEqual(['a b.html', 'file', 'file']);
	});

	it('is read again for each attempt', async () => {
		const file = await fileOf(data, storage());
		for (let time = 0; time < 3; time++) {
			expect(await new Response(file.stream()).text()).toBe(text);
		}
	});
});

describe('A file on disk', () => {
	it('is not read before it is sent', async () => {
		const helpers = storage();
		const file = await fileOf(onDisk, helpers);
		expect(helpers.reads).toEqual([]);
		await new Response(file.stream()).text();
		expect(helpers.reads).toHaveLength(1);
	});

	it('has the size that the storage reports', async () => {
		expect((await fileOf({ ...onDisk, bytes: 3 }, storage('tide'))).size).toBe(4);
	});

	it('is read only as far as it is used', async () => {
		const helpers = storage();
		const reader = (await fileOf(onDisk, helpers)).stream().getReader();
		const { value } = await reader.read();
		await reader.cancel();
		expect(Buffer.from(value ?? []).toString()).toBe('high');
		expect(helpers.reads[0].destroyed).toBe(true);
	});

	it('throws before anything is sent if it was deleted', async () => {
		await expect(fileOf({ ...onDisk, id: 'other' }, storage())).rejects.toThrow('File not found');
	});

	it('throws while it is read if it breaks off', async () => {
		const parts = function* () {
			yield Buffer.from('high');
			throw new Error('disk');
		};
		const getBinaryStream = async () => await Promise.resolve(Readable.from(parts()));
		const file = await fileOf(onDisk, { ...storage(), getBinaryStream });
		await expect(new Response(file.stream()).text()).rejects.toThrow('disk');
	});
});
