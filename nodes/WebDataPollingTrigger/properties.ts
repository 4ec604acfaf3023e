import { parameters, subtitleOfWatch } from './watches';

/**
 * The trigger's parameters and the text below it. The build replaces this module by its values, so
 * that loading the node computes nothing.
 */
export const properties = parameters;
export const subtitle = subtitleOfWatch;
