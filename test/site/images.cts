import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG of the given size: waves in shades between two colours, both chosen by the seed. */
export function renderPng(width: number, height: number, seed: string): Buffer {
	const hash = createHash('sha256').update(seed).digest();
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	// 8 bits per pixel, palette.
	header.set([8, 3], 8);
	return Buffer.concat([
		signature,
		chunk('IHDR', header),
		chunk('PLTE', palette(hash.subarray(0, 3), hash.subarray(3, 6))),
		chunk('IDAT', deflateSync(pixels(width, height, 24 + hash.readUInt8(6) / 4))),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function palette(from: Uint8Array, to: Uint8Array): Buffer {
	const shade = (share: number) =>
		[...from].map((value, channel) => value + share * ((to[channel] ?? 0) - value));
	return Buffer.from(Array.from({ length: 256 }, (_, index) => shade(index / 255)).flat());
}

/** Rows of palette indexes, each after its filter byte; the clamped array keeps them in range. */
function pixels(width: number, height: number, wavelength: number): Uint8ClampedArray {
	const wave = (at: number) => 26 * Math.sin(at / wavelength);
	const columns = Float64Array.from({ length: width }, (_, x) => wave(x));
	const rows = new Uint8ClampedArray((1 + width) * height);
	for (let y = 0; y < height; y++) {
		const level = (255 * y) / height + wave(y);
		const start = y * (1 + width) + 1;
		for (let x = 0; x < width; x++) rows[start + x] = level + (columns[x] ?? 0);
	}
	return rows;
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const framed = Buffer.alloc(body.length + 8);
	framed.writeUInt32BE(data.length, 0);
	body.copy(framed, 4);
	framed.writeUInt32BE(crc32(body), body.length + 4);
	return framed;
}

/** zlib's own crc32 is missing in the first releases of Node 20. */
function crc32(data: Buffer): number {
	let crc = 0xffffffff;
	for (const byte of data) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc >>> 0;
}
