import { reckon, type Figure } from './bench.cjs';

const figure = (value: number, most: number): Figure => ({
	name: 'a figure',
	of: { ours: value },
	goals: [{ words: `≤ ${most}`, value, most }],
});

describe('the bench', () => {
	it('ends well where each goal is met, also just so', () => {
		const figures = [figure(1, 2), figure(2, 2), { name: 'without goal', of: { ours: 9 } }];
		expect(reckon([{ figures }, { figures }])).toEqual({ goals: 4, missed: 0, exitCode: 0 });
	});

	it('ends with an error where one is missed, in whichever bench', () => {
		const found = [{ figures: [figure(1, 2)] }, { figures: [figure(2.01, 2)] }];
		expect(reckon(found)).toEqual({ goals: 2, missed: 1, exitCode: 1 });
	});

	it('misses what could not be measured', () => {
		expect(reckon([{ figures: [figure(Number.NaN, 2)] }]).exitCode).toBe(1);
	});
});
