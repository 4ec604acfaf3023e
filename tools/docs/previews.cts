import type { IDataObject } from 'n8n-workflow';
import { inWords, operationNames } from '../../test/engine/operationNames.cjs';
import type { TestBed } from '../../test/engine/testBed.cjs';
import { previewItems } from './previewRuns.cjs';

/** Where n8n looks for the previews of a node: beside it, by the node's version. */
export const previewFolder = 'nodes/WebData/__schema__/v1.0.0';

/** A JSON Schema of what n8n's editor shows. */
interface Schema {
	type?: string;
	anyOf?: Schema[];
	items?: Schema;
	properties?: Record<string, Schema>;
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** Plain values before those that hold others, which the editor unfolds: all are in sight at once. */
const plainFirst = (fields: Array<[string, Schema]>): Array<[string, Schema]> => {
	const isPlain = ({ type }: Schema) => type !== undefined && type !== 'object' && type !== 'array';
	return [
		...fields.filter(([, schema]) => isPlain(schema)),
		...fields.filter(([, schema]) => !isPlain(schema)),
	];
};

/** The schema of values of one type. */
function schemaOfType(type: string, values: unknown[]): Schema {
	if (type === 'array') {
		const entries = values.flat();
		return { type, ...(entries.length > 0 && { items: schemaOf(entries) }) };
	}
	if (type === 'number' && values.every(Number.isInteger)) return { type: 'integer' };
	if (type !== 'object') return { type };
	const records = values as IDataObject[];
	const names = [...new Set(records.flatMap(Object.keys))];
	const fields = names.map((name): [string, Schema] => [
		name,
		schemaOf(records.flatMap((record) => (name in record ? [record[name]] : []))),
	]);
	return fields.length === 0
		? { type }
		: { type, properties: Object.fromEntries(plainFirst(fields)) };
}

/** The schema of values that may be missing: what each is when it is there. The editor would show `null` in its place. */
function schemaOf(values: unknown[]): Schema {
	const given = values.filter((value) => value !== null && value !== undefined);
	const byType = new Map<string, unknown[]>();
	for (const value of given) {
		const type = typeOf(value);
		byType.set(type, [...(byType.get(type) ?? []), value]);
	}
	const schemas = [...byType].map(([type, of]) => schemaOfType(type, of));
	return schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? { type: 'null' });
}

/** What n8n's editor shows of the items of an operation before its first run. */
interface Preview extends Schema {
	/** That of the file, as in n8n's own. */
	version: 1;
}

/** The preview of items: a JSON Schema of what each may hold. */
const previewOf = (items: IDataObject[]): Preview => ({ ...schemaOf(items), version: 1 });

/** The preview of every operation, made of the responses of the service: its text by its path. @throws where one shows nothing */
export async function previews(testBed: TestBed): Promise<Array<[path: string, text: string]>> {
	const found: Array<[string, string]> = [];
	for (const name of operationNames) {
		const items = await previewItems(testBed, name);
		if (items.length === 0) {
			throw new Error(
				`${inWords(name)} gives no item to preview: let its line in test/engine/validParameters.cts make it, or 'runs' in tools/docs/previewRuns.cts`,
			);
		}
		const path = `${previewFolder}/${name.resource}/${name.operation}.json`;
		found.push([path, `${JSON.stringify(previewOf(items), null, '\t')}\n`]);
		testBed.service.reset();
	}
	return found;
}
