import { trimEnd, withoutSlashes } from '../../../../nodes/runtime/values/trimEnd';

it.each([
	['', ''],
	['/', ''],
	['//', ''],
	['/a', '/a'],
	['/a/b///', '/a/b'],
])('trims %j without trailing slashes to %j', (path, expected) => {
	expect(withoutSlashes(path)).toBe(expected);
});

it('checks each removed character once, and one more', () => {
	let asked = 0;
	const isDropped = (character: string) => {
		asked += 1;
		return character === '.';
	};
	expect(trimEnd(`${'.'.repeat(1000)}x${'.'.repeat(1000)}`, isDropped)).toBe(
		`${'.'.repeat(1000)}x`,
	);
	expect(asked).toBe(1001);
});
