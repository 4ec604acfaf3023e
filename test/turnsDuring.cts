/** How often others could run while some work was done: turns of the event loop. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
	let turns = 0;
	let isOver = false;
	const count = () => {
		turns += 1;
		if (!isOver) setTimeout(count, 0);
	};
	setTimeout(count, 0);
	await work();
	isOver = true;
	return turns;
}

/** The most that a count grows in one turn of the event loop while some work is done. */
export async function mostInOneTurn(
	count: () => number,
	work: () => Promise<unknown>,
): Promise<number> {
	let most = 0;
	let before = count();
	let isOver = false;
	const look = () => {
		most = Math.max(most, count() - before);
		before = count();
		if (!isOver) setTimeout(look, 0);
	};
	setTimeout(look, 0);
	await work();
	isOver = true;
	look();
	return most;
}
