import { takeTurn } from '../../../../nodes/runtime/jobs/turns';

describe('turns', () => {
	it('are had one after the other, in the order of coming', async () => {
		const order: string[] = [];
		const first = await takeTurn('a name');
		const others = ['second', 'third'].map(async (who) => {
			const end = await takeTurn('a name');
			order.push(who);
			return end;
		});
		expect(order).toEqual([]);
		first();
		(await others[0])();
		(await others[1])();
		expect(order).toEqual(['second', 'third']);
		(await takeTurn('a name'))();
	});

	it('of other names hold nobody up, and end once', async () => {
		const end = await takeTurn('one');
		(await takeTurn('another'))();
		end();
		const next = await takeTurn('one');
		end();
		let came = false;
		const last = takeTurn('one').then((done) => {
			came = true;
			return done;
		});
		await Promise.resolve();
		expect(came).toBe(false);
		next();
		(await last)();
	});
});
