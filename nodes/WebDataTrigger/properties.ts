import { triggerFields } from './settings';

/** The trigger's parameters. The build replaces this module by its value: loading computes nothing. */
export const properties = triggerFields;
