import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

/** The names that a group stores, at any depth. */
function unknownIn(
	properties: INodeProperties[],
	stored: INodeParameters,
	place: string,
): string[] {
	return Object.entries(stored).flatMap(([name, value]) => {
		const own = properties.filter((property) => property.name === name);
		if (own.length === 0) return [`${place}${name}`];
		const values = Array.isArray(value) ? value : [value];
		return values.flatMap((entry) => {
			if (typeof entry !== 'object' || entry === null) return [];
			const [{ type, options = [] }] = own;
			const inside = `${place}${name}.`;
			const fields = options.flatMap((option) => ('type' in option ? [option] : []));
			if (type === 'collection') return unknownIn(fields, entry as INodeParameters, inside);
			if (type !== 'fixedCollection') return [];
			return Object.entries(entry).flatMap(([group, list]) => {
				const section = options.find((option) => option.name === group);
				if (!section || !('values' in section)) return [`${inside}${group}`];
				return (Array.isArray(list) ? list : [list]).flatMap((each) =>
					unknownIn(section.values, each as INodeParameters, `${inside}${group}.`),
				);
			});
		});
	});
}

/** The parameters of a node that its description does not have or show. */
export function parametersWithoutPlace(description: INodeTypeDescription, node: INode): string[] {
	const known = NodeHelpers.getNodeParameters(
		description.properties,
		node.parameters,
		true,
		false,
		node,
		description,
	);
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameter(known ?? {}, property, node, description),
	);
	return unknownIn(shown, node.parameters, '');
}
