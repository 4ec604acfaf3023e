import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v3';
import type { WebDataError } from '../runtime/errors/webDataError';
import { list, oneOf, withDefault } from '../runtime/form/field';
import { form, type Form } from '../runtime/form/form';
import { ValidationFailure, stringSchema } from '../runtime/form/schema';
import type { Job, Operation, ReadContext, Result } from '../runtime/operation';
import type { Request as ApiRequest } from '../runtime/http/client';

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

/** A name of a query parameter, or a glob of names. A glob for all would merge all pages of a site. */
const parameterPattern = stringSchema({
	max: 100,
	normalize: (value) =>
		value.replaceAll('*', '').trim() === ''
			? new ValidationFailure('must not have an entry with only *')
			: value.trim().toLowerCase(),
});

const settings = {
	firstCheck: withDefault(
		oneOf(
			'First Check',
			'What the first check does with what exists; also applies after what is watched was changed',
			{
				default: 'none',
				options: {
					none: ['Ignore Existing', 'Only later changes count'],
					all: ['Return All', 'What exists starts the workflow'],
				},
			},
		),
	),
	ignoreQueryParameters: withDefault(
		list(
			'Ignore Query Parameters',
			'Comma-separated parameters of URLs to ignore besides tracking parameters, * for any characters',
			{
				entry: parameterPattern,
				max: 50,
				placeholder: 'e.g. session*, sort',
				displayOptions: { show: { watch: ['search', 'site'] } },
			},
		),
	),
	executions: withDefault(
		oneOf('Executions', 'How often the workflow runs if a check returns several new results', {
			default: 'one',
			options: { one: 'One for All New Results', each: 'One per New Result' },
		}),
	),
};

/** The settings that decide how the trigger fires. */
export const triggerForm = form(settings);

/** The functions of a reading operation for a check, and the settings of the trigger. */
export interface CheckContext extends ReadContext {
	readonly trigger: z.output<typeof triggerForm.schema>;
	/** Whether a user runs the node, which stores nothing. */
	readonly isManual: boolean;
	/** Time of the check. */
	readonly now: Date;
	/** Runs a job, or reads that of a failed check; an error if a URL is refused. `look` tells equal requests apart. */
	runKept(job: Job, request: ApiRequest, look?: string): Promise<Result[] | WebDataError>;
}

type About = Pick<Operation, 'name' | 'value' | 'description' | 'action'>;

/** Something that the trigger polls, with the form of its request. */
export interface Watch extends Form<unknown>, About {
	/** Compares with the state of the last check; without one, it is the first check. */
	check(request: unknown, state: IDataObject | undefined, context: CheckContext): Promise<Checked>;
}
