/** Sets an entry as the newest of a map, and deletes the oldest if there are more than `most`. */
export function setNewest<Key, Value>(
	entries: Map<Key, Value>,
	key: Key,
	value: Value,
	most: number,
): void {
	entries.delete(key);
	entries.set(key, value);
	const [oldest] = entries.keys();
	if (entries.size > most) entries.delete(oldest);
}
