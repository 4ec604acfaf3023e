import { scheduleFields } from './schedule';
import { triggerFields } from './settings';
import { subtitleBy } from '../runtime/operation/describe';
import { watches, watchFields } from './watches';

/**
 * The trigger's parameters. The build replaces this module by its values, so that loading the node
 * computes nothing.
 */
export const properties = [...scheduleFields, ...watchFields, ...triggerFields];

/** The text below the trigger: what it watches. */
export const subtitle = subtitleBy(
	Object.fromEntries(watches.map(({ name, value }) => [value, name])),
	'$parameter["watch"]',
);
