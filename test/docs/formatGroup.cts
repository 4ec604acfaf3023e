import type { INodeProperties } from 'n8n-workflow';

const isFormats = ({ name, type }: INodeProperties) =>
	name === 'formats' && type === 'multiOptions';

/** A field without the conditions that come from elsewhere than its own group. */
function shownWithin(field: INodeProperties, names: string[]): INodeProperties {
	const own = Object.entries(field.displayOptions?.show ?? {}).filter(([name]) =>
		names.includes(name),
	);
	return { ...field, displayOptions: { show: Object.fromEntries(own) } };
}

/**
 * Fields in which the choice of formats and the fields of each format stand as one group, which many
 * operations have: the first of the group is the choice itself.
 */
export function withFormatGroup(fields: INodeProperties[]): INodeProperties[] {
	const formats = fields.find(isFormats);
	const settings = fields.filter(({ displayOptions }) => displayOptions?.show?.formats);
	const members = formats ? [formats, ...settings] : [];
	const names = members.map(({ name }) => name);
	return fields.flatMap((field): INodeProperties[] => {
		if (settings.includes(field)) return [];
		if (field === formats) {
			const [choice, ...rest] = members.map((member) => shownWithin(member, names));
			return [
				{ ...field, type: 'collection', options: [{ ...choice, description: undefined }, ...rest] },
			];
		}
		if (field.type !== 'fixedCollection') return [field];
		const options = field.options?.map((option) =>
			'values' in option ? { ...option, values: withFormatGroup(option.values) } : option,
		);
		return [{ ...field, options }];
	});
}
