/** What the service assumes where it is not sent, or does anyway. */
const serviceDefaults: Record<string, unknown> = {
	onlyMainContent: true,
	waitFor: 0,
	mobile: false,
	removeBase64Images: true,
	blockAds: true,
	storeInCache: true,
	ignoreInvalidURLs: true,
	zeroDataRetention: false,
	fullPage: false,
	direction: 'down',
	formats: [{ type: 'markdown' }],
	sources: [{ type: 'web' }],
	events: ['completed', 'failed', 'page', 'started'],
};

/** Lists whose entries may be names in the place of objects. */
const named = ['formats', 'sources', 'parsers'];

/** Lists in which the order says nothing. */
const unordered = ['events'];

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function valueOf(name: string, value: unknown): unknown {
	if (Array.isArray(value)) {
		const entries = value.map((entry: unknown) =>
			named.includes(name) && typeof entry === 'string' ? { type: entry } : meaningOf(entry),
		);
		return unordered.includes(name) ? entries.sort() : entries;
	}
	return meaningOf(value);
}

const isBlank = (value: unknown) => value === '' || isSame(value, {}) || isSame(value, []);

/** A body without what means the same: defaults, blank values, names in the place of objects, and who sends it. */
export function meaningOf(body: unknown): unknown {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
	const fields = Object.entries(body).flatMap(([name, value]): Array<[string, unknown]> => {
		if (['integration', 'origin'].includes(name)) return [];
		const meant = valueOf(name, value);
		return isBlank(meant) || isSame(serviceDefaults[name], meant) ? [] : [[name, meant]];
	});
	return Object.fromEntries(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
}
