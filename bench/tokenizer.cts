import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Tokenizers {
	getEncoding(name: string): { encode(text: string): number[] };
}

/** A count of tokens as a common model has them (o200k_base), by the package of this folder's kit. */
export function loadTokenizer(): (text: string) => number {
	const kit = createRequire(join(process.env.WEB_DATA_PEER ?? '', 'package.json'));
	const { getEncoding }: Tokenizers = kit('js-tiktoken');
	const encoding = getEncoding('o200k_base');
	return (text) => encoding.encode(text).length;
}
