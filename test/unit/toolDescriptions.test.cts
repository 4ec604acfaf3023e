import { resources } from '../../nodes/WebData/resources';
import { loadTokenizer } from '../tokenizer.cjs';

/** What models read of a tool unless its user writes something else: it must be true whatever other tools there are. */
describe('the description of each operation', () => {
	const all = resources.flatMap((resource) =>
		resource.operations.map(
			(operation) => [`${resource.value}.${operation.value}`, operation.description] as const,
		),
	);
	const mostTokens = 60;
	const tokensIn = loadTokenizer();

	it.each(all)('%s has few tokens, counted by a real tokenizer', (_name, description) => {
		expect(tokensIn(description)).toBeLessThanOrEqual(mostTokens);
	});

	it.each(all)('%s says in one clause what it costs', (_name, description) => {
		const clauses = description.split(/(?<=\.) |; /);
		const priced = clauses.filter((clause) =>
			/\b(credits?\b(?! usage)|free\b|charged?\b|price\b)/i.test(clause),
		);
		expect(priced.length).toBeGreaterThan(0);
	});

	it.each(all)('%s names no other tool, and nothing that only the editor shows', (_name, text) => {
		expect(text).not.toMatch(/\b(?:[Uu]se|with|for|of|that) [A-Z][a-z]+ ?[a-z]*\b(?! States)/);
		expect(text).not.toMatch(/\buse (?:a|an|those|it) |'[A-Z][^']*'|\bWith [A-Z]/);
	});

	it('of passages says how to ask for them', () => {
		const { 'search.passages': passages } = Object.fromEntries(all);
		expect(passages).toContain(
			'Ask with words that the answer would contain; call again with synonyms.',
		);
	});
});
