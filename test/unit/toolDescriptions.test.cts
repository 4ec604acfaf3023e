import { resources } from '../../nodes/WebData/resources';
import { tokensOf } from '../../nodes/runtime/text/tokens';

/** What models read of a tool unless its user writes something else: it must be true whatever other tools there are. */
describe('the description of each operation', () => {
	const operations = resources.flatMap((resource) =>
		resource.operations.map((operation) => ({ resource, operation })),
	);
	const all = operations.map(
		({ resource, operation }) =>
			[`${resource.value}.${operation.value}`, operation.description] as const,
	);
	const mostTokens = 60;

	it.each(all)('%s is short', (_name, description) => {
		expect(tokensOf(description)).toBeLessThanOrEqual(mostTokens);
	});

	it.each(all)('%s names no other tool, and nothing that only the editor shows', (_name, text) => {
		expect(text).not.toMatch(/\b(?:[Uu]se|with|for|of|that) [A-Z][a-z]+ ?[a-z]*\b(?! States)/);
		expect(text).not.toMatch(/\buse (?:a|an|those|it) |'[A-Z][^']*'|\bWith [A-Z]/);
	});
});
