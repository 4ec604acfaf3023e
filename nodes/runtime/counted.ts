/** A number with its noun: 1 minute, 2 minutes. */
export const counted = (count: number, noun: string): string =>
	`${count} ${noun}${count === 1 ? '' : 's'}`;
