import { deepCopy, type INodeProperties } from 'n8n-workflow';
import { isRecord } from '../../../nodes/runtime/values/record';
import { builtNode } from '../../builtNode.cjs';
import { entriesOf, isCollection, isProperty } from './propertyEntries.cjs';

const fieldsOf = (field: INodeProperties) => entriesOf(field).filter(isProperty);
const isEmpty = (value: unknown) => Object.keys(Object(value)).length === 0;
const isList = ({ typeOptions }: INodeProperties) => typeOptions?.multipleValues === true;

/** What n8n's editor stores of a field that is added from the menu of a collection. */
const storedByMenu = (field: INodeProperties): unknown =>
	isList(field) ? [deepCopy(field.default)] : deepCopy(field.default);

/** Whether a collection shows a field for something that is stored: only those of its own, and as far as the others beside it let them be shown. */
function showsField(field: INodeProperties, stored: unknown): boolean {
	if (!isRecord(stored)) return false;
	const shown = fieldsOf(field).filter(({ name, displayOptions }) => {
		const show = Object.entries(displayOptions?.show ?? {});
		return (
			name in stored &&
			show.every(([other, wanted]) => (wanted ?? []).some((one) => one === String(stored[other])))
		);
	});
	return shown.length > 0 && shown.length === Object.keys(stored).length;
}

/** Whether a field that was just added shows something to fill in. */
function opens(field: INodeProperties): boolean {
	const stored = storedByMenu(field);
	// A list of entries shows the button that adds one.
	if (field.type === 'fixedCollection') return isList(field) || !isEmpty(field.default);
	if (field.type !== 'collection') return true;
	return isList(field) && Array.isArray(stored)
		? stored.length > 0 && stored.every((entry) => showsField(field, entry))
		: showsField(field, stored);
}

/** The ways to fields that open empty when they are added from the menu of a collection. */
function emptyIn(fields: INodeProperties[], within: string[] = []): string[] {
	return fields.flatMap((field) => {
		const way = [...within, field.displayName];
		const own = field.type === 'collection' ? fieldsOf(field).filter((each) => !opens(each)) : [];
		const inner = entriesOf(field).flatMap((entry) =>
			isCollection(entry) ? emptyIn(entry.values, way) : [],
		);
		return [
			...own.map(({ displayName }) => [...way, displayName].join(' > ')),
			...inner,
			...emptyIn(fieldsOf(field), way),
		];
	});
}

const nodes = ['WebData', 'WebDataTrigger', 'WebDataPollingTrigger'] as const;

it.each(nodes)('%s shows something of each field that is added from a menu', (name) => {
	expect([...new Set(emptyIn(builtNode(name).description.properties))]).toEqual([]);
});

it('the search finds fields that open empty', () => {
	const text: INodeProperties = { displayName: 'Name', name: 'name', type: 'string', default: '' };
	const group = (rest: Partial<INodeProperties>): INodeProperties => ({
		displayName: 'Group',
		name: 'group',
		type: 'collection',
		default: {},
		options: [text],
		...rest,
	});
	const entries: Partial<INodeProperties> = {
		type: 'fixedCollection',
		options: [{ displayName: 'E', name: 'e', values: [text] }],
	};
	const found = (options: INodeProperties[]) => emptyIn([group({ options })]).length;
	const list = { typeOptions: { multipleValues: true } };

	expect(found([group({}), group({ default: { title: '' } }), group(list)])).toBe(3);
	expect(found([group(entries)])).toBe(1);
	expect(found([group({ ...list, ...entries })])).toBe(0);
	expect(found([text, group({ default: { name: '' } })])).toBe(0);
	expect(found([group({ ...entries, default: { e: { name: '' } } })])).toBe(0);
});
