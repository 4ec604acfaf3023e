/** Types by their place in a body: `data[].title` → `string`. */
type Shape = ReadonlyMap<string, ReadonlySet<string>>;

const deepest = 12;

/**
 * What differs in keys and types between two bodies, e.g. `data.web[].position: nothing → number`. The
 * elements of a list count as one; a list that is empty on one side says nothing about its elements. Of
 * a missing key only the key is named, not what it holds.
 */
export function shapeDifferences(expected: unknown, actual: unknown): string[] {
	const before = shapeOf(expected);
	const after = shapeOf(actual);
	const places = [...new Set([...before.keys(), ...after.keys()])].sort();
	return places.flatMap((place) => {
		if (place !== '' && !(isWithin(before, place) && isWithin(after, place))) return [];
		const [was, is] = [before, after].map((shape) => typesAt(shape, place));
		if (was === is) return [];
		if (place.endsWith('[]') && (was === nothing || is === nothing)) return [];
		return [`${place || 'body'}: ${was} → ${is}`];
	});
}

const nothing = 'nothing';

function typesAt(shape: Shape, place: string): string {
	const types = shape.get(place);
	return types ? [...types].sort().join(' or ') : nothing;
}

/** Whether a body has the list or object that the place belongs to. */
function isWithin(shape: Shape, place: string): boolean {
	const [parent, type] = place.endsWith('[]')
		? [place.slice(0, -2), 'list']
		: [place.slice(0, Math.max(0, place.lastIndexOf('.'))), 'object'];
	return shape.get(parent)?.has(type) ?? false;
}

function shapeOf(body: unknown): Shape {
	const types = new Map<string, Set<string>>();
	const visit = (value: unknown, place: string, depth: number): void => {
		types.set(place, (types.get(place) ?? new Set()).add(typeOf(value)));
		if (depth === 0 || typeof value !== 'object' || value === null) return;
		if (Array.isArray(value)) {
			for (const each of value) visit(each, `${place}[]`, depth - 1);
			return;
		}
		for (const [key, each] of Object.entries(value)) {
			// A dot in a key is no step down.
			const name = key.replaceAll('.', '·');
			visit(each, place === '' ? name : `${place}.${name}`, depth - 1);
		}
	};
	visit(body, '', deepest);
	return types;
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'list' : typeof value;
}
