import { scheduleFields } from './schedule';
import { triggerFields } from './settings';
import { watchFields } from './watches';

/** The trigger's parameters. The build puts the value in this module's place, so that loading the node computes nothing. */
export const properties = [...scheduleFields, ...watchFields, ...triggerFields];
