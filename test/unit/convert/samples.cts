import { z } from 'zod/v4';
import type { Workflow } from '../../../tools/convert/workflow.cjs';
import { sketch, workflowOf } from './build.cjs';
import listed from './samples.json';

/** A workflow as people build it, and what becomes of it. */
export interface Sample {
	workflow: Workflow;
	/** Whether all of its nodes convert whole, some in part, or none. */
	converts: 'whole' | 'part' | 'kept';
	/** The operations of the converted nodes. */
	operations: string[];
	/** What later nodes have to read, before and after: the name of the node whose items are compared. */
	reads?: string;
	/** Why it is not run before and after. */
	notRun?: string;
}

const json = z.json();
const fields = z.record(z.string(), json);

/** A sample in samples.json, whose nodes are those of build.cts. */
const stored = z
	.strictObject({
		converts: z.enum(['whole', 'part', 'kept']).default('whole'),
		operations: z.array(z.string()),
		reads: z.string().optional(),
		notRun: z.string().optional(),
		nodes: z.array(sketch),
		links: z.array(z.string()).optional(),
		pinData: fields.optional(),
	})
	.transform(
		({ nodes, links, pinData, ...sample }): Sample => ({
			...sample,
			workflow: { ...workflowOf(nodes, links), ...(pinData && { pinData }) },
		}),
	);

/** Workflows of the kinds found in public, by what they show. */
export const samples = z.record(z.string(), stored).parse(listed);
