import { z } from 'zod/v3';
import { transformSchema } from '../../../runtime/form/effects';
import {
	numberSchema,
	objectSchema,
	booleanSchema,
	forwardIssues,
	jsonObject,
	listSchema,
	notJson,
	ValidationFailure,
	preview,
	stringSchema,
	type Reject,
} from '../../../runtime/form/schema';
import { fromJson } from '../../../runtime/values/json';
import { isRecord, type JsonRecord } from '../../../runtime/values/record';
import { pickedId } from '../../fields/picked';

/** A call of a data tool. */
export interface ToolCall {
	provider: string;
	capability: string;
	version?: string;
	options?: JsonRecord;
	/** Its cost in credits, as Find and Search return it; not sent. */
	creditsCost?: number;
	/** Whether that is the price per record of the response; not sent. */
	perRecord?: boolean;
}

const name = () => stringSchema({ max: 200, normalize: (value) => value.trim() });
/** A version to pin (https://semver.org). */
export const toolVersion = () =>
	stringSchema({
		max: 128,
		normalize: (value) => {
			const version = value.trim();
			return /^\d+\.\d+\.\d+(-[\dA-Za-z.-]+)?(\+[\dA-Za-z.-]+)?$/.test(version)
				? version
				: new ValidationFailure(`must be a version such as 1.4.0, not ${preview(version)}`);
		},
	});

const longestOptions = 256 * 1024;

/** Rejects options that exceed the service's limit. */
export function rejectLong(options: object, reject: Reject): void {
	if (Buffer.byteLength(JSON.stringify(options)) > longestOptions) reject('must be at most 256 KB');
}

/** A tool's options by name. */
export const toolOptions = () =>
	jsonObject().superRefine((value, context) =>
		rejectLong(value, (message) => context.addIssue({ code: 'custom', message })),
	);

/** Whether a call accepts terms, which is a legal act of a person. The service ignores case. */
const acceptsTerms = ({ provider, capability }: ToolCall) =>
	`${provider}/${capability}`.trim().toLowerCase() === 'firecrawl/terms/accept';

function rejectTerms(call: ToolCall, reject: Reject): void {
	if (!acceptsTerms(call)) return;
	reject(`must not accept a provider's terms: this requires a person`);
}

const strictCall = objectSchema(
	{
		provider: name(),
		capability: name(),
		version: toolVersion().optional(),
		options: toolOptions().optional(),
		creditsCost: numberSchema({ min: 0, unit: 'credits' }).optional(),
		perRecord: booleanSchema().optional(),
	},
	rejectTerms,
);

/**
 * The call in a tool as Find and Search return it. A tool has more fields than a call, its ID is
 * not one of them, and its `options` describe the parameters. Options given in their place are
 * retained.
 */
function callIn(tool: JsonRecord): JsonRecord {
	const execute = isRecord(tool.execute) ? tool.execute : {};
	const { provider, capability } = { ...tool, ...execute };
	const { creditsCost, perRecord } = tool;
	const given = isRecord(fromJson(tool.options));
	return { provider, capability, creditsCost, perRecord, ...(given && { options: tool.options }) };
}

/** Whether an entry is a description of a tool instead of a call. */
const isTool = (entry: JsonRecord) =>
	['execute', 'description', 'name', 'id'].some((field) => Object.hasOwn(entry, field)) ||
	Array.isArray(entry.options);

const toolCall = z
	.unknown()
	.transform((entry) => (isRecord(entry) && isTool(entry) ? callIn(entry) : entry))
	.pipe(strictCall);

/** 1 to 10 calls: a list, or a single one; each a call or a tool as Find and Search return it. */
export const toolCalls = () =>
	transformSchema((value, context): ToolCall[] => {
		const given = fromJson(value);
		if (typeof given === 'string' && given.trim() !== '') {
			context.addIssue({ code: 'custom', message: notJson(given) });
			return z.NEVER;
		}
		const result = listSchema(toolCall, { min: 1, max: 10 }).safeParse(
			isRecord(given) ? [given] : given,
		);
		return result.success ? result.data : forwardIssues(result.error, context);
	});

/** A tool by its provider and capability, as in the list of tools: provider/capability. */
export const pickedTool = () =>
	transformSchema((value, context): Pick<ToolCall, 'provider' | 'capability'> => {
		const split = stringSchema({
			normalize: (given) =>
				/^[^/\s][^/]*\/\S/.test(given.trim())
					? given.trim()
					: new ValidationFailure(
							`must be a provider and a capability such as tidewatch/tide-times, not ${preview(given)}`,
						),
		}).safeParse(pickedId(value));
		if (!split.success) return forwardIssues(split.error, context);
		const slash = split.data.indexOf('/');
		const checked = strictCall.safeParse({
			provider: split.data.slice(0, slash),
			capability: split.data.slice(slash + 1),
		});
		return checked.success ? checked.data : forwardIssues(checked.error, context);
	});
