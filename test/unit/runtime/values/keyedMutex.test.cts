import { acquireKey } from '../../../../nodes/runtime/values/semaphore';

describe('turns', () => {
	it('are had one after the other, in the order of coming', async () => {
		const order: string[] = [];
		const first = await acquireKey('a name');
		const others = ['second', 'third'].map(async (who) => {
			const end = await acquireKey('a name');
			order.push(who);
			return end;
		});
		expect(order).toEqual([]);
		first();
		(await others[0])();
		(await others[1])();
		expect(order).toEqual(['second', 'third']);
		(await acquireKey('a name'))();
	});

	it('of other names hold nobody up, and end once', async () => {
		const end = await acquireKey('one');
		(await acquireKey('another'))();
		end();
		const next = await acquireKey('one');
		end();
		let came = false;
		const last = acquireKey('one').then((done) => {
			came = true;
			return done;
		});
		await Promise.resolve();
		expect(came).toBe(false);
		next();
		(await last)();
	});
});
