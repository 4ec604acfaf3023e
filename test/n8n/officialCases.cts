import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodeTypeDescription,
	type NodeParameterValueType,
} from 'n8n-workflow';
import listed from './official.json';

/** A node of the official package in which something is set. */
export interface OfficialCase {
	name: string;
	operation: string;
	/** Its parameters as the editor stores them. */
	parameters: INodeParameters;
}

/** What fields of text and JSON are set to, by their names, and what users write into bodies of their own, by operation. */
const texts: Record<string, string> = listed.texts;
const own: Record<string, { body?: string; properties: string }> = listed.own;

const isField = (option: object): option is INodeProperties => 'type' in option;
const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;

/** Entries of a record, as another. */
const recordOf = (
	fields: INodeProperties[],
	valueFor: (field: INodeProperties) => NodeParameterValueType,
) => Object.fromEntries(fields.map((field) => [field.name, valueFor(field)]));

/** The siblings by which a field is shown. */
const shownBy = ({ displayOptions }: INodeProperties): INodeParameters =>
	Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).flatMap(([name, values = []]) =>
			typeof values[0] === 'object' ? [] : [[name, values[0]]],
		),
	);

const isShownWith = ({ displayOptions }: INodeProperties, chosen: INodeParameters) =>
	Object.entries(displayOptions?.show ?? {}).every(([name, of]) =>
		of?.some((value) => value === chosen[name]),
	);

/** The values of a field, each of which sets one thing in it. */
function valuesOf(field: INodeProperties): NodeParameterValueType[] {
	const { type, name, typeOptions, options = [] } = field;
	const choices = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
	switch (type) {
		case 'boolean':
			return [field.default !== true, `={{ ${field.default !== true} }}`];
		case 'number':
			return [Number(field.default) + (field.default === typeOptions?.maxValue ? -1 : 1)];
		case 'options':
			return choices;
		case 'multiOptions':
			return [choices];
		case 'collection':
			return options
				.filter(isField)
				.flatMap((option) => valuesOf(option).map((value) => ({ [option.name]: value })));
		case 'fixedCollection':
			return options.filter(isGroup).flatMap((group) =>
				group.values.flatMap((entry) =>
					valuesOf(entry).map((value) => {
						const chosen = { ...shownBy(entry), [entry.name]: value };
						// Nobody leaves these empty.
						const beside = group.values.filter(
							(each) => each.type === 'string' && isShownWith(each, chosen),
						);
						const set = { ...recordOf(beside, (each) => valuesOf(each)[0]), ...chosen };
						return { [group.name]: typeOptions?.multipleValues ? [set] : set };
					}),
				),
			);
		case 'string':
		case 'json':
			return [
				name.endsWith('Id') ? '00000000-0000-4000-8000-000000000000' : (texts[name] ?? 'tide'),
			];
		default:
			return [];
	}
}

/** Every operation of a version of the official package with nothing set, each field alone, and with bodies of its own. */
export function officialCases(description: INodeTypeDescription): OfficialCase[] {
	const { properties } = description;
	const storedWith = (parameters: INodeParameters, withDefaults: boolean) => {
		const node: INode = {
			...{ id: '1', name: 'Node', type: description.name, typeVersion: 1 },
			position: [0, 0],
			parameters,
		};
		const stored =
			NodeHelpers.getNodeParameters(
				properties,
				parameters,
				withDefaults,
				false,
				node,
				description,
			) ?? {};
		return { node, stored };
	};
	const isShown = (field: INodeProperties, parameters: INodeParameters) => {
		const { node, stored } = storedWith(parameters, true);
		return NodeHelpers.displayParameter(stored, field, node, description);
	};
	const casesOf = (chosen: INodeParameters & { operation: string }): OfficialCase[] => {
		const { operation } = chosen;
		const notFields = ['resource', 'operation', 'useCustomBody', 'customBody', 'additionalFields'];
		const fields = properties.filter(
			(field) =>
				!notFields.includes(field.name) && isShown(field, { ...shownBy(field), ...chosen }),
		);
		const caseOf = (name: string, set: INodeParameters): OfficialCase => {
			const given = { ...chosen, ...set };
			const needed = fields
				.filter((field) => field.required === true || field.name === 'urls')
				.filter((field) => isShown(field, given));
			const all = { ...recordOf(needed, (field) => valuesOf(field)[0]), ...given };
			const parameters = { ...chosen, ...storedWith(all, false).stored };
			return { name: `${operation}: ${name}`, operation, parameters };
		};
		const single = fields.flatMap((field) =>
			valuesOf(field).map((value) =>
				caseOf(`${field.name} ${JSON.stringify(value)}`, {
					...shownBy(field),
					...chosen,
					[field.name]: value,
				}),
			),
		);
		const { body: customBody, properties: customProperties } = own[operation] ?? {};
		const properly =
			customProperties === undefined ? {} : { additionalFields: { customProperties } };
		const customs = [true, '={{ 1 === 1 }}', '={{ 1 === 2 }}'].flatMap((useCustomBody) => {
			const switched = `switch ${useCustomBody}`;
			const ofBody =
				customBody === undefined
					? []
					: [
							caseOf(`custom body, ${switched}`, { useCustomBody, customBody }),
							caseOf(`custom body and properties, ${switched}`, {
								useCustomBody,
								customBody,
								...properly,
							}),
						];
			return customProperties === undefined
				? []
				: [caseOf(`custom properties, ${switched}`, { useCustomBody, ...properly }), ...ofBody];
		});
		return [caseOf('nothing', {}), ...single, ...customs];
	};
	return properties
		.filter(({ name, type }) => name === 'operation' && type === 'options')
		.flatMap(({ options = [], displayOptions }) =>
			options.flatMap((option) =>
				'value' in option
					? casesOf({
							resource: String(displayOptions?.show?.resource?.[0]),
							operation: String(option.value),
						})
					: [],
			),
		);
}
