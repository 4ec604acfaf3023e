import { text } from '../../runtime/contract';
import { hidden } from '../../runtime/field';

/**
 * Who asks, where Request (JSON) says it: the name of an integration, and a label of the client. The
 * node sends neither of its own accord (docs/api-notes.md, Requests).
 */
export const callerMembers = {
	origin: hidden(text()),
	integration: hidden(text()),
};
