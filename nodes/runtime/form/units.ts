/** Units that labels of fields show, by their names in messages. Other labels name what they count. */
const shownUnits: Readonly<Record<string, string>> = {
	milliseconds: 'Milliseconds',
	seconds: 'Seconds',
	minutes: 'Minutes',
	days: 'Days',
	MB: 'MB',
};

/** Adds the unit to a label. */
export const withUnit = (label: string, unit = ''): string =>
	unit in shownUnits ? `${label} (${shownUnits[unit]})` : label;

/** Removes the unit from a label, for messages, which name the unit with the number. */
export const withoutUnit = (label: string): string =>
	Object.values(shownUnits).reduce((rest, unit) => rest.replace(` (${unit})`, ''), label);
