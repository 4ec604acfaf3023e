import type { INodeProperties } from 'n8n-workflow';
import { properties } from '../../../nodes/WebDataPollingTrigger/properties';

const limitsOf = (fields: INodeProperties[]) =>
	fields
		.filter(({ name }) => name === 'limits')
		.map(({ options = [] }) => options.map((each) => each.name));

describe('The limits of the polling trigger', () => {
	it('are those of the search, without the estimate', () => {
		const all = limitsOf(properties);
		expect(all.length).toBeGreaterThan(0);
		for (const names of all) {
			expect(names).toContain('maxCreditsPerExecution');
			expect(names).not.toContain('estimateOnly');
		}
	});
});

describe('the actions of the polling trigger in the node creator', () => {
	/** The labels by which n8n chooses the field whose options it lists. */
	const labels = ['event', 'events', 'trigger on'];

	it('are what it can watch', () => {
		const listed = properties.find(({ displayName }) => labels.includes(displayName.toLowerCase()));

		expect(listed?.name).toBe('watch');
		expect(listed?.options?.map((option) => 'action' in option && option.action)).toEqual([
			'On low credits',
			'On monitor checks',
			'On changed pages',
			'On new papers',
			'On new search results',
			'On changes of a website',
		]);
	});
});
