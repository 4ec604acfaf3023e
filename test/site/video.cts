/** A valid MP4 without tracks: a file type box and a movie header that says "no content". */
export function renderMp4(): Buffer {
	const movieHeader = Buffer.alloc(100);
	movieHeader.writeUInt32BE(1000, 12);
	movieHeader.writeUInt32BE(0x00010000, 20);
	movieHeader.writeUInt16BE(0x0100, 24);
	for (const [at, value] of [
		[36, 0x10000],
		[52, 0x10000],
		[68, 0x40000000],
		[96, 1],
	] as const) {
		movieHeader.writeUInt32BE(value, at);
	}
	return Buffer.concat([
		box('ftyp', Buffer.from('isom\x00\x00\x02\x00isommp41', 'latin1')),
		box('moov', box('mvhd', movieHeader)),
	]);
}

function box(type: string, content: Buffer): Buffer {
	const header = Buffer.alloc(8);
	header.writeUInt32BE(content.length + 8, 0);
	header.write(type, 4, 'latin1');
	return Buffer.concat([header, content]);
}
