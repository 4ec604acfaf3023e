import type {
	IBinaryData,
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod/v3';
import type { Request, Upload } from '../http/client';
import type { ValidationFailure } from '../form/schema';
import type { Endpoint } from '../api/endpoint';
import type { ErrorSource } from '../api/errors';
import type { Form } from '../form/form';
import type { ApiResponse } from '../api/retry';
import type { Settings } from '../form/options';

/** A node's parameters for one item, as n8n resolves them, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** One result of an operation, on its way to becoming an item. */
export interface Result {
	json: IDataObject;
	binary?: INodeExecutionData['binary'];
	/** Indexes of the input items that asked for it; those of the request when left out. */
	items?: number[];
}

/** The checked request of one input item. */
export interface ItemRequest {
	itemIndex: number;
	body: unknown;
}

/** What the runtime offers while it works on one item. */
export interface Call {
	/** Where errors belong. */
	readonly errorSource: ErrorSource;
	/** The node's own options for the item. */
	readonly settings: Settings;
	/** The items that the request stands for, each with its own: several when the operation merged them. */
	readonly requests: ItemRequest[];
	/** Sends a request, paced and retried. @throws NodeApiError when it failed for good */
	send(request: Request): Promise<ApiResponse>;
	/** Shows a notice of the service above the node's output. */
	notice(text: string): void;
	/** Notes what the job cost that is waited for, in credits, where its state does not say it. */
	noteCost(credits: number): void;
}

/** What reading a list takes of a call. */
export type Reader = Pick<Call, 'errorSource' | 'send'>;

/** What a node keeps from one execution to the next, in n8n's static data. */
export interface NodeMemory {
	/** What it keeps under a name. */
	get(name: string): unknown;
	/** The names under which it keeps something. */
	names(): string[];
	/** Keeps a value once the results have come out; nothing by hand and for a tool. `undefined` forgets it. */
	keep(name: string, value: IDataObject | undefined): void;
}

/** What it offers to an operation that may start a job. */
export interface RunCall extends Call {
	/** Whether the service is the hosted one. */
	readonly isHosted: boolean;
	/** Says which requests go out where there are several. Where only an estimate is wanted, the work goes no further. */
	plan(requests: Request[]): Promise<void>;
	/** What the node keeps between executions; what earlier items keep is in it. */
	readonly memory: NodeMemory;
	/** Sends the request that starts one job, and waits for its end as the user chose. */
	runJob(job: Job, request: Request): Promise<Result[]>;
	/** As `runJob`, and does not wait. */
	startJob(job: Job, request: Request): Promise<Result[]>;
	/** A file of the input, read only while it is sent. */
	fileOf(data: IBinaryData): Promise<File>;
	/** A file for the output, stored where n8n keeps such data. */
	binaryOf(content: Buffer, fileName: string, mimeType: string): Promise<IBinaryData>;
	/** Sends a file to an address that the service named, without the key. @throws NodeApiError when it failed for good */
	upload(upload: Upload): Promise<ApiResponse>;
	/** Sends what starts something; when the execution is stopped meanwhile, the request that `ending` makes of its answer ends it. @throws as send */
	sendStart(
		request: Request,
		ending: (response: ApiResponse) => Request | undefined,
	): Promise<ApiResponse>;
	/** Sends a request once the execution has ended or was stopped, whatever came of it. @returns what takes it back, where nobody else has asked for it */
	atExecutionEnd(request: Request): () => void;
}

/** What the service does in the background, and how its end is turned into results. */
export interface Job {
	/** What the user calls one, such as "agent run". */
	noun: string;
	/** Responds with its state. */
	status: Endpoint;
	/** Ends it. */
	cancel: Endpoint;
	/** Query of a poll, which keeps its answer short. */
	pollQuery?: IDataObject;
	/** What its `completed` and `total` count, such as "pages"; nothing where it tells neither. */
	counted?: string;
	/** Whether an item may go on with one that the same request has started before. */
	isReusable?: boolean;
	/** Event names that say it has come to an end (https://docs.firecrawl.dev/webhooks/events). */
	endEvents: string[];
	/** Inspects the job that was started, beside its polls, and is awaited with them. Never rejects. */
	afterStart?(started: IDataObject, request: Request, call: Call): Promise<void>;
	/** Makes results of its last answer. @throws NodeOperationError when it ended badly */
	finish(response: IDataObject, values: Values, call: Call): Promise<Result[]>;
	/** What comes out when it was only started. */
	started(response: IDataObject, values: Values): Result;
	/** What comes out when it was not waited for to its end; as when it was only started if left out. */
	unfinished?(response: IDataObject, values: Values, call: Call): Promise<Result[]>;
}

/**
 * One operation of the service, as its page in the API's documentation: what the user fills in, what
 * is accepted, what is sent, what comes out.
 */
export interface Operation<Body = unknown> {
	/** Name in the editor, in title case. */
	name: string;
	/** Name in saved workflows; never changes. */
	value: string;
	/** Sentence in the editor's list of actions. */
	action: string;
	/** When to use it and what it returns, for people and for AI models. */
	description: string;
	fields: INodeProperties[];
	/** What it costs at the service, in credits: for people, in docs/operations.md. */
	costs: string;
	/** Puts the parameters, and the item's files where it takes one, together as the API's request. */
	read(values: Values, files?: IBinaryKeyData): unknown;
	/** Checks the request before anything is sent. */
	schema: ZodType<Body, ZodTypeDef, unknown>;
	/** What to say of a request before it is sent, such as that one field has no effect beside another. */
	hints?(body: Body): string[];
	/** Makes one request of those of several items, where the user wants that. @returns undefined where each item has its own */
	mergeBodies?(bodies: Body[], values: Values): Body | ValidationFailure | undefined;
	/** Whether items are worked on one after the other, for each may build on the one before. */
	sequential?: boolean;
	/** Sends it and makes results of the answer. */
	run(body: Body, values: Values, call: RunCall): Promise<Result[]>;
	/** The job it waits for, so that a suspended execution can be taken up again. */
	job?: Job;
}

/** A group of operations on one thing. */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}

/** An operation that only asks: it needs no execution around it, so that a trigger can repeat it. */
export interface ReadOnlyOperation<Body = unknown> extends Omit<Operation<Body>, 'run'> {
	run(body: Body, values: Values, call: Call): Promise<Result[]>;
}

/** What an operation takes, as its file writes it: a form, and the node's settings that are shown after it. */
interface OperationInput<Body> {
	request: Form<Body>;
	settings: INodeProperties[];
}

type OperationDefinition<Described, Body> = OperationInput<Body> &
	Omit<Described, 'fields' | 'read' | 'schema'>;

const expand = <Body>({ fields, read, schema }: Form<Body>, settings: INodeProperties[]) => ({
	fields: [...fields, ...settings],
	read,
	schema,
});

/** Keeps the body's type within the operation's file. */
export function readOnlyOperation<Body>(
	definition: ReadOnlyOperation<Body> | OperationDefinition<ReadOnlyOperation<Body>, Body>,
): ReadOnlyOperation {
	if (!('request' in definition)) return definition;
	const { request, settings, ...rest } = definition;
	return { ...rest, ...expand(request, settings) };
}

/** Keeps the body's type within an operation's file. */
export function operation<Body>(
	definition: Operation<Body> | OperationDefinition<Operation<Body>, Body>,
): Operation {
	if (!('request' in definition)) return definition;
	const { request, settings, ...rest } = definition;
	return { ...rest, ...expand(request, settings) };
}
