import { stringSchema } from '../../runtime/form/schema';
import { hidden } from '../../runtime/form/field';

/**
 * Who asks, where Request (JSON) says it: the name of an integration, and a label of the client. The
 * node sends neither of its own accord (docs/api-notes.md, Requests).
 */
export const callerMembers = {
	origin: hidden(stringSchema()),
	integration: hidden(stringSchema()),
};
