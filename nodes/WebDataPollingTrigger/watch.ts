import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Schema } from '../runtime/form/effects';
import type { Form } from '../runtime/form/form';
import type { JobContext, Result, Values } from '../runtime/operation/operation';
import type { TriggerSettings } from './settings';

/** A result that starts the workflow. */
export interface Finding {
	/** Identifies the finding if n8n stops before all findings of a check were returned. */
	id: string;
	result: Result;
	/** Whether it existed at the first check, so that 'First Check' decides about it. */
	isExisting?: boolean;
}

/** The outcome of a check. */
export interface Checked {
	/** The findings since the last check, in the order in which they start the workflow. */
	found: Finding[];
	/** The state to store once everything found was returned. */
	nextState: IDataObject;
	/** The extent of the check, such as "10 results". */
	checked: string;
}

/** The functions of an operation for a check, and the settings of the trigger. */
export interface CheckContext extends JobContext {
	readonly trigger: TriggerSettings;
	/** Whether a user runs the node, which stores nothing. */
	readonly isManual: boolean;
	/** Time of the check. */
	readonly now: Date;
}

/** Something that the trigger polls. */
export interface Watch<Request = unknown> {
	/** Name in the editor. */
	name: string;
	/** Name in saved workflows; never changes. */
	value: string;
	/** Description in the editor. */
	description: string;
	/** Text in n8n's list of actions. */
	action: string;
	/** Its parameters in the editor. */
	fields: INodeProperties[];
	/** Builds its request from the parameters. */
	read(values: Values): unknown;
	/** Validates the request before anything is sent. */
	schema: Schema<Request>;
	/** Compares with the state of the last check; without one, it is the first check. */
	check(request: Request, state: IDataObject | undefined, context: CheckContext): Promise<Checked>;
}

/** A watch as its file defines it: a form, and the settings shown below it. */
interface WatchDefinition<Request> extends Omit<Watch<Request>, 'fields' | 'read' | 'schema'> {
	request: Form<Request>;
	settings: INodeProperties[];
}

/** Defines a watch; the type of its request stays in its file. */
export function watch<Request>({ request, settings, ...rest }: WatchDefinition<Request>): Watch {
	const { fields, read, schema } = request;
	return { ...rest, fields: [...fields, ...settings], read, schema };
}
