import type { INodeParameters } from 'n8n-workflow';
import { useTestBed } from './testBed.cjs';
import { toolTexts } from './toolTexts.cjs';

/** What a user reads if the expression of a required field gives nothing for an item. */
describe('An expression that returns nothing', () => {
	const testBed = useTestBed();
	const messageOf = async (set: INodeParameters) => {
		const run = await testBed.run('page', 'scrape', set, {
			input: [{ site: 'a.example' }],
		});
		return run.error?.message;
	};

	it('is named in the error of its field, with the item', async () => {
		expect(await messageOf({ url: '={{ $json.website }}' })).toBe(
			"'URL' has no value: the expression {{ $json.website }} returned nothing [item 0]",
		);
	});

	it('is named in a field of a format', async () => {
		const set = { url: 'a.example', formats: ['question'], question: '={{ $json.ask }}' };
		expect(await messageOf(set)).toBe(
			"'Question' has no value: the expression {{ $json.ask }} returned nothing [item 0]",
		);
	});

	it('is cut if it is long', async () => {
		const expression = `={{ ${'$json.a || '.repeat(100)}'' }}`;
		expect((await messageOf({ url: expression }))?.length).toBeLessThan(250);
	});

	it('is not mentioned if the field has none', async () => {
		const set = { url: 'a.example', formats: ['question'], question: '' };
		expect(await messageOf(set)).toBe("'Question' is required [item 0]");
	});
});

describe('A field of a tool that is empty', () => {
	const testBed = useTestBed();
	const messages = async (question: string) => {
		const set = { url: 'a.example', formats: ['question'], question };
		const node = { type: testBed.engine.typeName('webDataTool') };
		return toolTexts(await testBed.run('page', 'scrape', set, { input: [{}], node }));
	};

	it.each(['', `={{ /* $fromAI('question') */ "" }}`])(
		'is an error that names it, filled in by %j',
		async (question) => {
			expect(await messages(question)).toEqual({
				error: "'Question' is required",
				advice: 'Nothing was sent and nothing was charged.',
			});
		},
	);
});
