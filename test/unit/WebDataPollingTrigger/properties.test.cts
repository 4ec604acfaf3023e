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
