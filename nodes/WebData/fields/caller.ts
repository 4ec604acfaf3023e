import { stringSchema } from '../../runtime/form/schema';
import { hidden } from '../../runtime/form/field';

/**
 * The fields of Request (JSON) that identify the caller: an integration's name, and the client's
 * label. The node never sends them by itself (docs/api-notes.md, Requests).
 */
export const callerFields = {
	origin: hidden(stringSchema()),
	integration: hidden(stringSchema()),
};
