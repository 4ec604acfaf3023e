import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createCompoundSchema, ValueType, type Schema } from 'genson-js';
import type { IDataObject } from 'n8n-workflow';
import { operationNames, type OperationName } from '../engine/operationNames.cjs';
import { TestBed } from '../engine/testBed.cjs';
import { projectRoot } from '../root.cjs';
import { previewItems } from './previewRuns.cjs';

/** Where n8n looks for the previews of a node: beside it, by the node's version. */
export const previewFolder = join(projectRoot, 'nodes/WebData/__schema__/v1.0.0');

/** The file of an operation's preview, below the folder. */
export const previewPath = ({ resource, operation }: OperationName): string =>
	`${resource}/${operation}.json`;

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
export interface Preview extends Schema {
	/** That of the file, as in n8n's own. */
	version: 1;
}

/** The preview of items: a JSON Schema of what each may hold. */
export const previewOf = (items: IDataObject[]): Preview => ({
	...whenThere(createCompoundSchema(items, { noRequired: true })),
	version: 1,
});

/** Makes the preview of every operation from the answers of the service. */
export async function writePreviews(): Promise<void> {
	const testBed = new TestBed();
	await testBed.open();
	try {
		rmSync(previewFolder, { recursive: true, force: true });
		for (const name of operationNames) {
			const preview = previewOf(await previewItems(testBed, name));
			const path = join(previewFolder, previewPath(name));
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, `${JSON.stringify(preview, null, '\t')}\n`);
			testBed.service.reset();
		}
	} finally {
		await testBed.close();
	}
}
