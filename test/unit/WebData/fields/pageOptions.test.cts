import { pageOptions, pageOptionsOf } from '../../../../nodes/WebData/fields/pageOptions';
import { settingsSchemaWith } from '../../../../nodes/runtime/form/options';
import { refusals } from '../../schemaAssertions.cjs';

describe('the page options of an item', () => {
	it('are what the node does when nothing is set', () => {
		expect(pageOptionsOf({})).toEqual({
			onPageError: 'item',
			onMissingResults: 'error',
			simplify: true,
		});
	});

	it.each([
		['the editor', { keepFields: 'url', maxMarkdownLength: 500, simplify: false }],
		['an expression', '{"maxMarkdownLength":"500","simplify":"false","downloadFiles":true}'],
	])('are taken out of what %s gives', (_name, outputOptions) => {
		expect(pageOptionsOf({ outputOptions })).toMatchObject({
			maxMarkdownLength: 500,
			simplify: false,
		});
	});

	it('are refused with the other settings, before anything is sent', () => {
		const schema = settingsSchemaWith(pageOptions);
		expect(refusals(schema, { outputOptions: { maxMarkdownLength: 0 } })).toEqual([
			'outputOptions maxMarkdownLength must be a whole number of at least 1 characters, not 0',
		]);
	});
});
