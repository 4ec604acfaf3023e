import { properties } from '../../../nodes/WebDataPollingTrigger/properties';

describe('the parameters of the polling trigger', () => {
	/** The labels by which n8n chooses the field whose options it lists. */
	const labels = ['event', 'events', 'trigger on'];

	it('begin with what it can watch, which n8n lists as its actions', () => {
		const listed = properties.find(({ displayName }) => labels.includes(displayName.toLowerCase()));

		expect(properties[0]).toBe(listed);
		expect(listed?.options?.map((option) => 'action' in option && option.action)).toEqual([
			'On monitor checks',
			'On changed pages',
			'On new papers',
			'On new search results',
		]);
	});
});
