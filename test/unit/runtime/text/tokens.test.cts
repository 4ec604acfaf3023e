import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { charactersPerToken, tokensOf } from '../../../../nodes/runtime/text/tokens';
import { projectRoot } from '../../../root.cjs';
import { loadTokenizer } from '../../../tokenizer.cjs';

const folder = join(projectRoot, 'test/bench/passages/pages');
const tokensIn = loadTokenizer();

/** Parts of real documents of a language, as JSON has them. */
const partsOf = (language: string): string[] =>
	readdirSync(join(folder, language)).flatMap((file) => {
		const text = readFileSync(join(folder, language, file), 'utf8').slice(0, 12_000);
		const parts = text.match(/[^]{1,2000}/g) ?? [];
		return parts.map((part) => JSON.stringify(part));
	});

describe('the estimate of tokens', () => {
	it.each(readdirSync(folder))('is that of a real tokenizer: %s', (language) => {
		const ratios = partsOf(language).map((part) => tokensOf(part) / tokensIn(part));

		const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
		expect(mean).toBeGreaterThan(0.97);
		expect(mean).toBeLessThan(1.06);
		expect(Math.min(...ratios)).toBeGreaterThan(0.8);
	});

	it.each([
		['letters', 'keeper'],
		['digits between signs', '1.'],
		['signs', '{('],
		['scripts without spaces', '灯'],
		['spaces', ' '],
	])('stays within the characters of a token: %s', (_name, part) => {
		const text = part.repeat(100);
		const most = text.length / charactersPerToken.fewest;
		expect(tokensOf(text)).toBeLessThanOrEqual(most);
	});
});
