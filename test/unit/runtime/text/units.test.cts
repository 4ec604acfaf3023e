import { blocksOf } from '../../../../nodes/runtime/text/blocks';
import { unitsOf } from '../../../../nodes/runtime/text/units';
import { hostilePages } from '../../../site/hostilePages.cjs';
import { turnsDuring } from '../../../turnsDuring.cjs';

describe('The units of a page', () => {
	it.each(['a heading above each word', 'heads of tables and no rows'])(
		'are made in turns with others: %s',
		async (kind) => {
			const blocks = await blocksOf(hostilePages[kind](200_000));

			expect(await turnsDuring(async () => await unitsOf(blocks))).toBeGreaterThanOrEqual(2);
		},
	);
});
