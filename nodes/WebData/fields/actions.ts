import { boolean, integer, required, oneOf, string } from '../../runtime/form/field';
import { entries, section, options, variants } from '../../runtime/form/form';
import type { JsonRecord } from '../../runtime/values/record';

/** Milliseconds of a wait that has neither a time nor an element. */
const defaultWait = 1_000;

const action = variants({
	default: 'wait',
	types: {
		click: 'Click',
		pdf: ['PDF', 'Prints the page to a PDF'],
		press: 'Press Key',
		executeJavascript: 'Run JavaScript',
		scrape: ['Scrape', 'Saves the current URL and HTML'],
		screenshot: 'Screenshot',
		scroll: 'Scroll',
		wait: ['Wait', 'Waits for a time or for an element, not both'],
		write: ['Write', 'Types into the focused input; click it first'],
	},
	sections: [
		section(['click', 'wait', 'scroll'], {
			selector: string('Selector', 'CSS selector of the element', {
				placeholder: 'e.g. #load-more',
			}),
		}),
		section(['wait'], {
			milliseconds: integer(
				'Milliseconds',
				`Time to wait, in milliseconds; ${defaultWait} if there is no Selector either`,
				{
					min: 1,
					// Not a number by default: an unchanged field must stay unset beside a selector.
					default: '',
					placeholder: `e.g. ${defaultWait}`,
				},
			),
		}),
		section(['write'], {
			text: required(string('Text', 'Text to type, character by character', { blank: true })),
		}),
		section(['press'], {
			key: required(
				string('Key', 'Name of the key, such as Enter or Tab', { placeholder: 'e.g. Enter' }),
			),
		}),
		section(['executeJavascript'], {
			script: required(
				string('Script', 'JavaScript to run on the page; returns its value', {
					rows: 3,
					isCode: true,
				}),
			),
		}),
		section(
			['click'],
			options({
				all: boolean('All Matches', 'Whether to click every match, and continue if there is none'),
			}),
		),
		section(
			['scroll'],
			options({
				direction: oneOf('Direction', 'Direction to scroll in', {
					default: 'down',
					options: { down: 'Down', up: 'Up' },
				}),
			}),
		),
		section(
			['screenshot'],
			options({
				fullPage: boolean('Full Page', 'Whether to capture the full page instead of the viewport'),
			}),
		),
	],
	rules: {
		click({ selector }, reject) {
			if (selector === undefined) reject('is required', 'selector');
		},
		wait({ milliseconds, selector }, reject) {
			if (milliseconds !== undefined && selector !== undefined) {
				reject(`takes either 'Milliseconds' or 'Selector', not both`);
			}
		},
	},
});

/** Gives a wait for nothing its time. */
const withTime = (entry: JsonRecord & { type: string }): JsonRecord & { type: string } =>
	entry.type === 'wait' && entry.milliseconds === undefined && entry.selector === undefined
		? { ...entry, milliseconds: defaultWait }
		: entry;

/** The actions on the page before it is scraped, in order. */
export const actions = entries(
	'Actions',
	'Actions on the page before scraping, in order; up to 50, and 60 seconds of waiting',
	{ entry: 'Action', placeholder: 'Add Action', isSortable: true, max: 50 },
	{ ...action, schema: action.schema.transform(withTime) },
);

/** Total wait of a list of actions, in milliseconds; a wait for an element counts as one second. */
export const waitingTime = (list: Array<Record<string, unknown>>) =>
	list
		.filter((entry) => entry.type === 'wait')
		.reduce(
			(total, { milliseconds }) => total + (typeof milliseconds === 'number' ? milliseconds : 1000),
			0,
		);
