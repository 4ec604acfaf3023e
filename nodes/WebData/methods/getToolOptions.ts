import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { fieldOf } from '../../runtime/values/record';
import { pickedTool } from '../resources/tool/call';
import { browse, catalogueIn, findTools, toolOf } from '../resources/tool/catalogue';
import { requestFromService } from './requestFromService';
import { isPlainName, mostEntries } from './editorText';

/** Maps a tool's type to a field type of the editor; text by default. */
function fieldType(type: unknown): FieldType {
	const word = typeof type === 'string' ? type.toLowerCase() : '';
	if (['number', 'integer', 'float'].includes(word)) return 'number';
	if (word === 'boolean') return 'boolean';
	if (word.startsWith('array') || word.endsWith('[]')) return 'array';
	return word === 'object' ? 'object' : 'string';
}

/** The editor's field for an option of a tool; none if its name cannot be stored. */
function optionField(option: unknown): ResourceMapperField[] {
	const name = fieldOf(option, 'name');
	if (!isPlainName(name)) return [];
	const type = fieldType(fieldOf(option, 'type'));
	const required = fieldOf(option, 'required') === true;
	return [
		{
			id: name,
			displayName: name,
			type,
			required,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			// A visible switch would always be sent, on or off.
			removed: type === 'boolean' && !required,
		},
	];
}

/** The options of the selected tool, as fields of `tool.execute`. */
export async function getToolOptions(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const picked = pickedTool().safeParse(this.getCurrentNodeParameter('tool'));
	if (!picked.success || picked.data.provider.startsWith('=')) {
		return {
			fields: [],
			emptyFieldsNotice: `Pick a tool to see its options. For a tool set by an expression, use 'List of Calls'.`,
		};
	}
	const { provider, capability } = picked.data;
	const request = browse(
		findTools({
			providers: [provider],
			capabilities: [capability],
			level: 'tools',
			expand: ['options'],
			limit: 100,
		}),
	);
	return await requestFromService(this, request, (body, errorSource) => {
		const tool = catalogueIn(body, errorSource).entries.find((entry) => {
			const found = toolOf(entry);
			return found?.provider === provider && found.capability === capability;
		});
		const options: unknown = tool?.options;
		const notice = tool ? 'This tool has no options.' : 'The catalogue does not contain this tool.';
		return {
			fields: Array.isArray(options) ? options.slice(0, mostEntries).flatMap(optionField) : [],
			emptyFieldsNotice: notice,
		};
	});
}
