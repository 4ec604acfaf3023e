import { answeredWithout, type Place } from './errors';

/** A list that an answer must hold. @throws NodeOperationError where it holds none: an empty one would look whole */
export function answeredList(value: unknown, place: Place): unknown[] {
	if (Array.isArray(value)) return value;
	throw answeredWithout('a list', place);
}
