import { Refusal, text } from '../../runtime/contract';

/**
 * An ID of any form, which goes into a path: not the path's own words for "here" and "above", which no
 * encoding takes away, and no half of a character, which none can write.
 */
export const pathId = (max: number) =>
	text({
		max,
		mend: (value) => {
			const id = value.trim();
			if (/^\.+$/.test(id)) return new Refusal('must be an ID, not dots alone');
			if (/[\uD800-\uDFFF]/u.test(id)) {
				return new Refusal('must be an ID, and holds half a character (a lone surrogate)');
			}
			return id;
		},
	});
