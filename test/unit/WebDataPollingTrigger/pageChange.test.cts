import { comparePage } from '../../../nodes/WebDataPollingTrigger/pageChange';

it('A watched page of which the server returned nothing has failed', () => {
	const before = { is: 'up', mark: 'm', content: { markdown: 'Bread' } };

	expect(comparePage(before, undefined, { compare: 'text', ignoreLines: [] })).toEqual({
		next: { ...before, is: 'failed' },
		item: {
			change: 'failed',
			reason: 'The server returned nothing for this URL',
			current: null,
			previous: before.content,
		},
	});
});
