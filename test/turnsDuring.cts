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
