import { pathId } from '../../../../nodes/WebData/fields/common';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const schema = pathId(20);

it.each([['doi:10.1/x'], ['...a'], [' a '], ['🌊'], ['%2e%2e']])('takes the ID %j', (id) => {
	expect(accepted(schema, id)).toBe(id.trim());
});

it.each([['.'], ['..'], [' ... ']])('refuses the path’s own words: %j', (id) => {
	expect(refusals(schema, id)).toEqual(['must be an ID, not dots alone']);
});

it.each([['\ud800'], ['a\udc00b'], ['\udc00\ud800']])('refuses half a character: %j', (id) => {
	expect(refusals(schema, id)).toEqual([expect.stringMatching(/half a character/)]);
});
