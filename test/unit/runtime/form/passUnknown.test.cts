import { z } from 'zod/v3';
import { parsePassingUnknown } from '../../../../nodes/runtime/form/passUnknown';
import { fromJson } from '../../../../nodes/runtime/values/json';
import { isRecord, type JsonRecord } from '../../../../nodes/runtime/values/record';

const schema = z
	.object({
		url: z.string(),
		options: z.object({ wait: z.number().optional() }).strict().optional(),
		shapes: z.record(z.object({ type: z.string() }).strict()).optional(),
	})
	.strict();

const parse = (given: JsonRecord) => parsePassingUnknown(schema, given, given, []);

describe('members that no schema knows', () => {
	it('pass, at any depth', () => {
		const given = { url: 'https://gulls.example', fresh: 1, options: { wait: 2, calm: true } };

		const { data } = parse(given);

		expect(data).toEqual(given);
	});

	it('do not hide what is wrong with those that it knows', () => {
		const { error } = parse({ url: 5, fresh: 1 });

		expect(error?.issues.map(({ path }) => path)).toEqual([['url']]);
	});

	it.each(['__proto__', 'constructor'])('reach no prototype by the name %s', (name) => {
		const given = fromJson(
			`{"url":"https://gulls.example","shapes":{"${name}":{"type":"a","polluted":1}}}`,
		);
		if (!isRecord(given)) throw new Error('No record was given');

		parse(given);

		expect(Reflect.get({}, 'polluted')).toBeUndefined();
		expect(Reflect.get(Object, 'polluted')).toBeUndefined();
	});
});
