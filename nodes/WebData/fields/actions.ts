import type { INodeProperties } from 'n8n-workflow';
import {
	byType,
	choice,
	decimal,
	fields,
	flag,
	list,
	text,
	wholeNumber,
} from '../../runtime/contract';
import { screenshotMembers, screenshotOptions } from './screenshot';

const show = (...types: string[]) => ({ show: { type: types } });

/** Fields of one action; the type decides which are shown. */
const actionFields: INodeProperties[] = [
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		default: 'wait',
		options: [
			{ name: 'Click', value: 'click' },
			{ name: 'PDF', value: 'pdf', description: 'Prints the page to a PDF' },
			{ name: 'Press Key', value: 'press' },
			{ name: 'Run JavaScript', value: 'executeJavascript' },
			{ name: 'Scrape', value: 'scrape', description: 'Keeps address and HTML of this moment' },
			{ name: 'Screenshot', value: 'screenshot' },
			{ name: 'Scroll', value: 'scroll' },
			{ name: 'Wait', value: 'wait', description: 'For a time or for an element, not both' },
			{
				name: 'Write',
				value: 'write',
				description: 'Types into the focused field; click it first',
			},
		],
	},
	{
		displayName: 'Selector',
		name: 'selector',
		type: 'string',
		default: '',
		placeholder: 'e.g. #load-more',
		displayOptions: show('click', 'wait', 'scroll'),
		description: 'CSS selector of the element',
	},
	{
		displayName: 'Milliseconds',
		name: 'milliseconds',
		type: 'number',
		// Not a number by default: an untouched field must stay unset beside a selector.
		default: '',
		typeOptions: { minValue: 1 },
		displayOptions: show('wait'),
		description: 'Time to wait, in milliseconds',
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		default: '',
		displayOptions: show('write'),
		description: 'Text to type, character by character',
	},
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		default: '',
		placeholder: 'e.g. Enter',
		displayOptions: show('press'),
		description: 'Name of the key, such as Enter or Tab',
	},
	{
		displayName: 'Script',
		name: 'script',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		displayOptions: show('executeJavascript'),
		description: 'JavaScript to run on the page; its value is returned',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: show('click'),
		options: [
			{
				displayName: 'All Matches',
				name: 'all',
				type: 'boolean',
				default: true,
				description: 'Whether to click every match and go on when there is none',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: show('scroll'),
		options: [
			{
				displayName: 'Direction',
				name: 'direction',
				type: 'options',
				default: 'down',
				options: [
					{ name: 'Down', value: 'down' },
					{ name: 'Up', value: 'up' },
				],
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: show('screenshot'),
		options: screenshotOptions,
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: show('pdf'),
		options: [
			{
				displayName: 'Landscape',
				name: 'landscape',
				type: 'boolean',
				default: true,
				description: 'Whether to turn the paper sideways',
			},
			{
				displayName: 'Paper',
				name: 'format',
				type: 'options',
				default: 'Letter',
				options: [
					{ name: 'A0', value: 'A0' },
					{ name: 'A1', value: 'A1' },
					{ name: 'A2', value: 'A2' },
					{ name: 'A3', value: 'A3' },
					{ name: 'A4', value: 'A4' },
					{ name: 'A5', value: 'A5' },
					{ name: 'A6', value: 'A6' },
					{ name: 'Ledger', value: 'Ledger' },
					{ name: 'Legal', value: 'Legal' },
					{ name: 'Letter', value: 'Letter' },
					{ name: 'Tabloid', value: 'Tabloid' },
				],
			},
			{
				displayName: 'Scale',
				name: 'scale',
				type: 'number',
				typeOptions: { numberPrecision: 2 },
				default: 1,
				description: 'Size of the content, 1 is as it is',
			},
		],
	},
];

/** What is done on the page before it is read, in order (api-v2, Actions). */
export const actionsField: INodeProperties = {
	displayName: 'Actions',
	name: 'actions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Action',
	default: {},
	description:
		'What to do on the page before it is read, in this order; up to 50 actions and 60 seconds of waiting',
	options: [
		{
			displayName: 'Action',
			name: 'values',
			values: actionFields,
		},
	],
};

const action = byType(
	{
		wait: fields(
			{ milliseconds: wholeNumber({ min: 1 }).optional(), selector: text().optional() },
			({ milliseconds, selector }, refuse) => {
				if (milliseconds === undefined && selector === undefined) {
					refuse(`needs 'Milliseconds' or 'Selector'`);
				}
				if (milliseconds !== undefined && selector !== undefined) {
					refuse(`takes either 'Milliseconds' or 'Selector', not both`);
				}
			},
		),
		click: fields({ selector: text(), all: flag().optional() }),
		write: fields({ text: text({ blank: true }) }),
		press: fields({ key: text() }),
		scroll: fields({
			direction: choice('up', 'down').optional(),
			selector: text().optional(),
		}),
		scrape: fields({}),
		executeJavascript: fields({ script: text() }),
		screenshot: fields(screenshotMembers),
		pdf: fields(
			{
				format: choice(
					'A0',
					'A1',
					'A2',
					'A3',
					'A4',
					'A5',
					'A6',
					'Letter',
					'Legal',
					'Tabloid',
					'Ledger',
				).optional(),
				landscape: flag().optional(),
				scale: decimal().optional(),
			},
			({ scale }, refuse) => {
				if (scale !== undefined && scale <= 0) refuse('must be more than 0', 'scale');
			},
		),
	},
	{ editor: actionFields },
);

export const actions = () => list(action, { max: 50 });

/** Time that a list of actions waits, in milliseconds; a wait for an element counts as one second (addendum 4). */
export const waitingTime = (list: Array<Record<string, unknown>>) =>
	list
		.filter((entry) => entry.type === 'wait')
		.reduce(
			(total, { milliseconds }) => total + (typeof milliseconds === 'number' ? milliseconds : 1000),
			0,
		);
