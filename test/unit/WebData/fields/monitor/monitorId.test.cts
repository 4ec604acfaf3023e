import { monitorId } from '../../../../../nodes/WebData/fields/monitor/monitorId';
import { accepted, refusals } from '../../../schemaAssertions.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

describe('the monitor that an operation is about', () => {
	it.each<[unknown]>([
		[{ __rl: true, mode: 'list', value: id, cachedResultName: 'Prices' }],
		[{ __rl: true, mode: 'id', value: ` ${id.toUpperCase()} ` }],
		[id],
	])('%j', (given) => {
		expect(accepted(monitorId.schema, given)).toBe(id);
	});

	it.each<[unknown, string]>([
		[undefined, 'is required'],
		[{ __rl: true, mode: 'list', value: '' }, 'is required'],
		[{ mode: 'list' }, 'is required'],
		[{ __rl: true, mode: 'id', value: '../team' }, `must be an ID such as ${id}, not ../team`],
		[7, `must be an ID such as ${id}, not 7`],
	])('%j is refused', (given, words) => {
		expect(refusals(monitorId.schema, given)).toEqual([words]);
	});
});
