import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import type {
	INodePropertyCollection,
	INodeTypeDescription,
	NodeParameterValueType,
} from 'n8n-workflow';

/** A node of the official package in which something is set. */
export interface OfficialCase {
	name: string;
	operation: string;
	/** Its parameters as the editor stores them. */
	parameters: INodeParameters;
}

/** What the fields of text are set to, by their names; the others to a word. */
const texts: Record<string, string> = {
	url: 'https://tidewatch.example/guides',
	urls: 'https://tidewatch.example/a\nhttps://tidewatch.example/b',
	path: 'guides/.*',
	code: 'en',
	tbs: 'qdr:d',
	key: 'X-Tide',
};

/** For every ID. */
const id = '00000000-0000-4000-8000-000000000000';

const schema = '{"type":"object","properties":{"title":{"type":"string"}}}';

/** What users write into bodies of their own, by operation. */
const own: Record<string, { body?: string; properties: string }> = {
	scrape: {
		body: '{"url":"https://tidewatch.example/b","formats":["html"],"waitFor":5}',
		properties: '{"formats":["links"],"maxAge":0,"location":{"country":"DE"}}',
	},
	batchScrape: { properties: '{"urls":["https://tidewatch.example/c"],"formats":["links"]}' },
	crawl: {
		body: '{"url":"https://tidewatch.example/b","limit":3,"scrapeOptions":{"formats":["html"]}}',
		properties: '{"limit":5,"maxDiscoveryDepth":2,"delay":1}',
	},
	map: {
		body: '{"url":"https://tidewatch.example/b","search":"tide","limit":7}',
		properties: '{"limit":20,"sitemap":"skip"}',
	},
	search: {
		properties: '{"limit":3,"location":"Germany","scrapeOptions":{"formats":["markdown"]}}',
	},
	extract: { properties: '{"prompt":"Title","schema":{"type":"object","properties":{}}}' },
	agent: { body: `{"prompt":"Tides","maxCredits":50,"schema":${schema}}`, properties: '{}' },
	agentAsync: {
		body: '{"prompt":"Tides","urls":["https://tidewatch.example/"]}',
		properties: '{}',
	},
};

const isField = (option: object): option is INodeProperties => 'type' in option;
const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;

/** The siblings by which a field is shown. */
const shownBy = ({ displayOptions }: INodeProperties): INodeParameters =>
	Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).flatMap(([name, values = []]) => {
			const [value] = values;
			return typeof value === 'object' ? [] : [[name, value]];
		}),
	);

/** The texts of an entry that are shown with what is chosen, which nobody leaves empty. */
const textsBeside = (fields: INodeProperties[], chosen: INodeParameters): INodeParameters =>
	Object.fromEntries(
		fields
			.filter(({ type, displayOptions }) => {
				const shown = Object.entries(displayOptions?.show ?? {});
				return (
					type === 'string' &&
					shown.every(([name, of]) => of?.some((value) => value === chosen[name]))
				);
			})
			.map((field) => [field.name, valuesOf(field)[0]]),
	);

/** The values of a field, each of which sets one thing in it. */
function valuesOf(field: INodeProperties): NodeParameterValueType[] {
	const { type, name, typeOptions, options = [] } = field;
	switch (type) {
		case 'boolean':
			return [field.default !== true];
		case 'number':
			return [Math.min(Number(field.default) + 1, typeOptions?.maxValue ?? Infinity)].map(
				(value) => (value === field.default ? value - 1 : value),
			);
		case 'json':
			return [name === 'schema' ? schema : '{"title":"Tides"}'];
		case 'options':
			return options.flatMap((option) => ('value' in option ? [option.value] : []));
		case 'multiOptions':
			return [options.flatMap((option) => ('value' in option ? [String(option.value)] : []))];
		case 'collection':
			return options
				.filter(isField)
				.flatMap((option) => valuesOf(option).map((value) => ({ [option.name]: value })));
		case 'fixedCollection':
			return options.filter(isGroup).flatMap((group) =>
				group.values.flatMap((entry) =>
					valuesOf(entry).map((value) => {
						const chosen = { ...shownBy(entry), [entry.name]: value };
						const set = { ...textsBeside(group.values, chosen), ...chosen };
						return { [group.name]: typeOptions?.multipleValues ? [set] : set };
					}),
				),
			);
		case 'string':
			return [name.endsWith('Id') ? id : (texts[name] ?? 'tide')];
		default:
			return [];
	}
}

/** Two values of a field at once. */
function together(
	one: NodeParameterValueType,
	other: NodeParameterValueType,
): NodeParameterValueType {
	if (Array.isArray(one) && Array.isArray(other)) {
		const entries = new Map(
			[...one, ...other].map((entry) => [Object(entry).type ?? entry, entry]),
		);
		return [...entries.values()] as NodeParameterValueType;
	}
	if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return other;
	const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
	const of = (value: object, name: string) => Object(value)[name];
	return Object.fromEntries(
		names.map((name) => [
			name,
			name in one && name in other
				? together(of(one, name), of(other, name))
				: (of(other, name) ?? of(one, name)),
		]),
	);
}

/** Every operation of a version of the official package with nothing set, each field alone, all, and with bodies of its own. */
export function officialCases(description: INodeTypeDescription): OfficialCase[] {
	const { properties } = description;
	const nodeOf = (parameters: INodeParameters): INode => ({
		...{ id: '1', name: 'Node', type: description.name, typeVersion: 1, position: [0, 0] },
		parameters,
	});
	const stored = (parameters: INodeParameters) =>
		NodeHelpers.getNodeParameters(
			properties,
			parameters,
			false,
			false,
			nodeOf(parameters),
			description,
		) ?? {};
	const isShown = (field: INodeProperties, parameters: INodeParameters) => {
		const all =
			NodeHelpers.getNodeParameters(
				properties,
				parameters,
				true,
				false,
				nodeOf(parameters),
				description,
			) ?? {};
		return NodeHelpers.displayParameter(all, field, nodeOf(parameters), description);
	};
	const operations = properties.flatMap(({ name, type, options = [], displayOptions }) =>
		name !== 'operation' || type !== 'options'
			? []
			: options.flatMap((option) =>
					'value' in option
						? [
								{
									resource: String(displayOptions?.show?.resource?.[0]),
									operation: String(option.value),
								},
							]
						: [],
				),
	);
	return operations.flatMap(({ resource, operation }): OfficialCase[] => {
		const chosen = { resource, operation };
		const fields = properties.filter(
			(field) =>
				!['resource', 'operation', 'useCustomBody', 'customBody', 'additionalFields'].includes(
					field.name,
				) && isShown(field, { ...shownBy(field), ...chosen }),
		);
		const requiredWith = (parameters: INodeParameters): INodeParameters =>
			Object.fromEntries(
				fields
					.filter(({ required, name }) => required === true || name === 'urls')
					.filter((field) => isShown(field, parameters))
					.map((field) => [field.name, valuesOf(field)[0]]),
			);
		const caseOf = (name: string, parameters: INodeParameters): OfficialCase => ({
			name: `${operation}: ${name}`,
			operation,
			parameters: {
				...chosen,
				...stored({ ...requiredWith({ ...chosen, ...parameters }), ...chosen, ...parameters }),
			},
		});
		const single = fields.flatMap((field) =>
			valuesOf(field).map((value) =>
				caseOf(`${field.name} ${JSON.stringify(value)}`, {
					...shownBy(field),
					...chosen,
					[field.name]: value,
				}),
			),
		);
		const all = Object.fromEntries(
			fields.map((field) => [field.name, valuesOf(field).reduce(together)]),
		);
		const { body, properties: customProperties } = own[operation] ?? {};
		const customs = !customProperties
			? []
			: [true, '={{ 1 === 1 }}', '={{ 1 === 2 }}'].flatMap((useCustomBody) => [
					caseOf(`custom properties, switch ${useCustomBody}`, {
						useCustomBody,
						additionalFields: { customProperties },
					}),
					...(body === undefined
						? []
						: [
								caseOf(`custom body, switch ${useCustomBody}`, { useCustomBody, customBody: body }),
								caseOf(`custom body and properties, switch ${useCustomBody}`, {
									useCustomBody,
									customBody: body,
									additionalFields: { customProperties },
								}),
							]),
				]);
		return [caseOf('nothing', {}), ...single, caseOf('all', all), ...customs];
	});
}
