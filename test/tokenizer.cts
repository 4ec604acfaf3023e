import { createRequire } from 'node:module';

type Tokenizers = typeof import('js-tiktoken', { with: { 'resolution-mode': 'import' } });

/** A count of tokens as a common model has them (o200k_base). */
export function loadTokenizer(): (text: string) => number {
	// The package has CommonJS, but declares its types for ES modules only.
	const { getEncoding }: Tokenizers = createRequire(__filename)('js-tiktoken');
	const encoding = getEncoding('o200k_base');
	return (text) => encoding.encode(text).length;
}
