import { builtNode } from '../../builtNode.cjs';
import listed from '../../../tools/convert/fields.json';

const { properties } = builtNode('WebData').description;

/** The parameters of the editor that belong to one format of a page, by the format. */
const settings = properties.flatMap(({ name, displayOptions: { show } = {} }) =>
	show?.resource?.includes('page') && show.operation?.includes('scrape')
		? (show.formats ?? []).map((format) => [String(format), name] as const)
		: [],
);

const known: Record<string, Record<string, string>> = listed.formats;

describe('what the converter knows of the node', () => {
	it.each(settings)(
		'the format %s has %s; else add it to tools/convert/fields.json',
		(format, name) => {
			const parameters = Object.values(known[format] ?? {});

			expect(parameters.some((each) => each === name || name.startsWith(`${each}Schema`))).toBe(
				true,
			);
		},
	);

	it('finds the settings of the formats', () => {
		expect(settings).toContainEqual(['question', 'question']);
	});
});
