import type {
	IBinaryData,
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod/v3';
import type { Request } from './http/client';
import type { ValidationFailure } from './form/schema';
import type { Endpoint } from './http/endpoint';
import type { ErrorSource } from './errors/webDataError';
import type { Form } from './form/form';
import type { ApiResponse } from './errors/response';
import type { Settings } from './form/settings';

/** A node's resolved parameters for one item, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** A result of an operation, before it becomes an item. */
export interface Result {
	json: IDataObject;
	binary?: INodeExecutionData['binary'];
	/** Indexes of its input items; by default those of the request. */
	items?: number[];
}

/** A file in a response: its path, and its link, data URI or base64 content. */
export interface FileReference {
	path: Array<string | number>;
	content: string;
	kind: 'link' | 'dataUri' | 'base64';
	/** Name of its binary field: `screenshot`, `actions_pdfs_0`, `data_web_2_screenshot`. */
	name: string;
	/** URL and MIME type of base64 content, if the response has them. */
	source?: { url?: string; mimeType?: string };
}

/** The format of results, which the nodes pass to the runtime. */
export interface ResultFormat {
	/** Finds the files in a result. */
	filesIn(json: IDataObject): FileReference[];
	/** Creates the function that sorts, shortens and splits results by an item's settings and request. */
	createTransform(settings: Settings, request: unknown): (json: IDataObject) => IDataObject[];
	/** Warns of incomplete results; undefined if all are complete. */
	noticeOf(results: readonly Result[]): Promise<string | undefined>;
	/** Whether an equal call of a tool gets a response again: not one without its page. */
	isKept(body: unknown): boolean;
	/** The question in a request; undefined if it has none. */
	questionIn(request: unknown): string | undefined;
}

/** The valid request of one input item. */
export interface ItemRequest {
	itemIndex: number;
	body: unknown;
}

/** The runtime's functions for an operation that works on one item. */
export interface OperationContext {
	/** The node and item of errors. */
	readonly errorSource: ErrorSource;
	/** The node's own options for the item. */
	readonly settings: Settings;
	/** The requests of the item; several if the operation merged items. */
	readonly requests: ItemRequest[];
	/** Sends a request with rate limits and retries. @throws WebDataError after the last attempt */
	send(request: Request): Promise<ApiResponse>;
	/** Shows a notice of the service above the node's output. */
	notice(text: string): void;
	/** Shows a remark of the node itself, to a model outside of the delimiters; in the place of an earlier one. */
	remark(text: string, earlier?: string): void;
	/** Records the credits that the awaited job cost, if its status does not report them. */
	recordCost(credits: number): void;
	/** Whether the server is the hosted service. */
	readonly isHosted: boolean;
	/** Starts a job and returns its results at its end. */
	runJob(job: Job, request: Request): Promise<Result[]>;
	/** Starts a job without waiting. */
	startJob(job: Job, request: Request): Promise<Result[]>;
	/** Reads an input file. @throws if n8n has deleted it, or its size is a problem */
	fileOf(data: IBinaryData): Promise<File>;
	/** Stores an output file where n8n keeps binary data. */
	binaryOf(content: Buffer, fileName: string, mimeType: string): Promise<IBinaryData>;
	/**
	 * Sends a request that starts something. If the execution is stopped meanwhile, sends the
	 * request that `ending` derives from the response.
	 * @throws as send
	 */
	sendStart(
		request: Request,
		ending: (response: ApiResponse) => Request | undefined,
	): Promise<ApiResponse>;
	/** Sends a request when the execution ends. @returns its cancellation, unless others registered it too */
	atExecutionEnd(request: Request): () => void;
}

/** The part of them for an operation that only reads: it needs no execution, so that a trigger can run it. */
export type ReadContext = Pick<
	OperationContext,
	'errorSource' | 'settings' | 'requests' | 'send' | 'notice' | 'remark' | 'recordCost'
>;

/** The most pages that the responses of a job have counted: a server that loses its state counts fewer later. */
export interface Counted {
	completed: number;
	total: number;
}

/** A job of the service, and how its end becomes results. */
export interface Job {
	/** Name in messages, such as "agent run". */
	noun: string;
	/** Endpoint that reports its status. */
	status: Endpoint;
	/** Endpoint that cancels it. */
	cancel: Endpoint;
	/** Whether it is never cancelled, since another execution may wait for it. */
	isLeftAlone?: boolean;
	/** Query of a poll, which shortens its response. */
	pollQuery?: IDataObject;
	/** Turns its last status into results. @throws WebDataError if it failed */
	finish(response: IDataObject, context: ReadContext, counted?: Counted): Promise<Result[]>;
	/** The result if it was only started. */
	started(response: IDataObject, settings: Pick<Settings, 'output'>): Result;
	/** The results if the wait ended before the job; an error by default. */
	unfinished?(response: IDataObject, context: ReadContext): Promise<Result[]>;
}

/** An operation of the API; one that only reads needs no more `Context` than a trigger has. */
export interface Operation<Body = unknown, Context = OperationContext> {
	/** Name in the editor, in title case. */
	name: string;
	/** Name in saved workflows; never changes. */
	value: string;
	/** Sentence in the editor's list of actions. */
	action: string;
	/** Description for users and AI models: when to use it, and what it returns. */
	description: string;
	fields: INodeProperties[];
	/** Its price in credits, for docs/operations.md; free by default. */
	costs: string;
	/** Builds the API's request from the parameters and, if it takes one, the item's files. */
	read(values: Values, files?: IBinaryKeyData): unknown;
	/** Validates the request before anything is sent. */
	schema: ZodType<Body, ZodTypeDef, unknown>;
	/** Merges the requests of several items, with their settings, into one. */
	mergeBodies?(bodies: Body[], settings: Settings[]): Body | ValidationFailure;
	/** Whether items run one after the other, because each may depend on the one before. */
	sequential?: boolean;
	/** The fields of a simplified item where its record has more than fit a table; all by default. */
	simplified?: string[];
	/** Sends the request and returns the results. */
	run(body: Body, context: Context): Promise<Result[]>;
	/** The job that it starts and waits for. */
	job?: Job;
}

/** A group of operations on one thing. */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}

/** An operation as its file defines it: its form, and the settings shown below it. */
interface Definition<Body, Context>
	extends Omit<Operation<Body, Context>, 'costs' | 'fields' | 'read' | 'schema'> {
	costs?: string;
	request: Form<Body>;
	settings?: INodeProperties[];
}

/** Defines an operation; the type of its body stays in its file. */
export function operation<Body, Context = OperationContext>({
	request: { fields, read, schema },
	costs = 'free',
	settings = [],
	...rest
}: Definition<Body, Context>): Operation<unknown, Context> {
	return { ...rest, costs, fields: [...fields, ...settings], read, schema };
}
