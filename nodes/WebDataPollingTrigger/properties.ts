import { scheduleFields } from './schedule';
import { triggerFields } from './settings';
import { watchFields } from './watches';

/**
 * The trigger's parameters. The build replaces this module by its value, so that loading the node
 * computes nothing.
 */
export const properties = [...scheduleFields, ...watchFields, ...triggerFields];
