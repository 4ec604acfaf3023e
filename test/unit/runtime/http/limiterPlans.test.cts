import { isMet, lineOf } from '../../../../bench/bench.cjs';
import { figuresOf, rows } from '../../../../bench/benches/pace.cjs';

/** The limiter's acceptance, in simulated time: the goals of `npm run bench -- --only pace`. */
it.each(rows)('keeps up with $name', async (row) => {
	const figures = await figuresOf(row, 3);

	expect(figures.filter((figure) => !isMet(figure)).map(lineOf)).toEqual([]);
});
