import type { Readable } from 'node:stream';
import { strToU8, zipSync } from 'fflate';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';
import { storeFile } from '../earlierN8n.cjs';

/** A file as a node before hands it over, kept in the execution's data. */
export const inMemory = (
	fileName: string,
	mimeType: string,
	content: string | Buffer,
): IBinaryData => ({
	fileName,
	mimeType,
	fileExtension: /\.(\w+)$/.exec(fileName)?.[1],
	data: Buffer.from(content).toString('base64'),
});

/** A file as a node before hands it over, kept where n8n keeps files: on disk in these tests. Needs an open engine. */
export const stored = async (
	fileName: string,
	mimeType: string,
	content: Buffer | Readable,
): Promise<IBinaryData> =>
	await storeFile(content, {
		fileName,
		mimeType,
		fileExtension: /\.(\w+)$/.exec(fileName)?.[1],
		data: '',
	});

/** An input item with one file under its usual name. */
export const itemWith = (data: IBinaryData): INodeExecutionData => ({ json: {}, binary: { data } });

/** An input item with a small page as its file. */
export const page = (html = '<h1>Harbour fees</h1><p>A berth costs 12 euros.</p>') =>
	itemWith(inMemory('fees.html', 'text/html', html));

/** What office files are: a ZIP container of XML. */
export const officeFile = (text: string): Buffer =>
	Buffer.from(zipSync({ 'content.xml': strToU8(`<text>${text}</text>`) }));
