import { createCompoundSchema, ValueType, type Schema } from 'genson-js';
import type { IDataObject } from 'n8n-workflow';
import { inWords, operationNames } from '../../test/engine/operationNames.cjs';
import type { TestBed } from '../../test/engine/testBed.cjs';
import { previewItems } from './previewRuns.cjs';

/** Where n8n looks for the previews of a node: beside it, by the node's version. */
export const previewFolder = 'nodes/WebData/__schema__/v1.0.0';

const isPlain = ({ type }: Schema): boolean =>
	type !== undefined && type !== ValueType.Object && type !== ValueType.Array;

/** Plain values before those that hold others, which the editor unfolds: all are in sight at once. */
function plainFirst(properties: Array<[string, Schema]>): Array<[string, Schema]> {
	const plain = properties.filter(([, schema]) => isPlain(schema));
	return [...plain, ...properties.filter(([, schema]) => !isPlain(schema))];
}

/** A schema of values that may be missing: what each is when it is there. The editor would show `null` in its place. */
function whenThere({ type, anyOf, items, properties, ...rest }: Schema): Schema {
	if (anyOf) {
		const others = anyOf.filter(({ type: one }) => one !== ValueType.Null);
		return others.length === 1 ? whenThere(others[0]) : { anyOf: others.map(whenThere) };
	}
	const types = Array.isArray(type) ? type.filter((one) => one !== ValueType.Null) : type;
	return {
		type: Array.isArray(types) && types.length === 1 ? types[0] : types,
		...rest,
		...(items && { items: whenThere(items) }),
		...(properties && {
			properties: Object.fromEntries(
				plainFirst(Object.entries(properties).map(([name, schema]) => [name, whenThere(schema)])),
			),
		}),
	};
}

/** What n8n's editor shows of the items of an operation before its first run. */
interface Preview extends Schema {
	/** That of the file, as in n8n's own. */
	version: 1;
}

/** The preview of items: a JSON Schema of what each may hold. */
const previewOf = (items: IDataObject[]): Preview => ({
	...whenThere(createCompoundSchema(items, { noRequired: true })),
	version: 1,
});

/** The preview of every operation, made of the responses of the service: its text by its path. @throws where one shows nothing */
export async function previews(testBed: TestBed): Promise<Array<[path: string, text: string]>> {
	const found: Array<[string, string]> = [];
	for (const name of operationNames) {
		const items = await previewItems(testBed, name);
		if (items.length === 0) throw new Error(`${inWords(name)} gives no item to preview`);
		const path = `${previewFolder}/${name.resource}/${name.operation}.json`;
		found.push([path, `${JSON.stringify(previewOf(items), null, '\t')}\n`]);
		testBed.service.reset();
	}
	return found;
}
