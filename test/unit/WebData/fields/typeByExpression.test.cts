import type { INodeProperties } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod/v3';
import { propertiesOf } from '../../../../nodes/runtime/form/form';
import { actions } from '../../../../nodes/WebData/fields/actions';
import { targets } from '../../../../nodes/WebData/fields/monitor';
import { accepted } from '../../schemaAssertions.cjs';

type Schema = ZodType<unknown, ZodTypeDef, unknown>;

/** Every field with its default, as n8n stores an entry whose type is an expression. */
function untouched([{ options = [] }]: INodeProperties[]): Record<string, unknown> {
	const [option] = options;
	if (!('values' in option)) throw new Error('no fixed collection');
	return Object.fromEntries(option.values.map(({ name, default: value }) => [name, value]));
}

const ofActions = untouched(propertiesOf({ actions }));
const ofTargets = untouched(propertiesOf({ targets }));

/** An entry of each type, with what it needs beside its type. */
const entries: Array<[object, Schema, object]> = [
	...[
		{ type: 'wait', milliseconds: 5 },
		{ type: 'click', selector: '#more' },
		{ type: 'write', text: 'tide' },
		{ type: 'press', key: 'Enter' },
		{ type: 'scroll' },
		{ type: 'scrape' },
		{ type: 'screenshot' },
		{ type: 'pdf' },
		{ type: 'executeJavascript', script: '1' },
	].map((entry): [object, Schema, object] => [entry, actions.valueSchema, ofActions]),
	...[
		{ type: 'scrape', urls: 'https://a.example' },
		{ type: 'crawl', url: 'https://a.example' },
		{ type: 'search', queries: 'tides' },
	].map((entry): [object, Schema, object] => [entry, targets.valueSchema, ofTargets]),
];

describe('an entry whose type is an expression', () => {
	it.each(entries)('%j is sent without the fields of other types', (entry, schema, initial) => {
		expect(accepted(schema, { values: [{ ...initial, ...entry }] })).toEqual(
			accepted(schema, { values: [entry] }),
		);
	});

	it('omits what belongs to another type', () => {
		const entry = { type: 'scrape', selector: '#more' };
		expect(accepted(actions.valueSchema, { values: [entry] })).toEqual([{ type: 'scrape' }]);
	});
});
