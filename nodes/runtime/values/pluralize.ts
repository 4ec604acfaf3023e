/** A number with its noun: 1 minute, 2 minutes. */
export const pluralize = (count: number, noun: string): string =>
	`${count} ${noun}${count === 1 ? '' : 's'}`;
