import { resources } from '../../nodes/WebData/resources';

/** An operation of the node by its values in saved workflows. */
export interface OperationName {
	resource: string;
	operation: string;
}

/** An operation in words, such as "agent: run". */
export const inWords = ({ resource, operation }: OperationName): string =>
	`${resource}: ${operation}`;

/** Every operation of the node. */
export const operationNames: OperationName[] = resources.flatMap(
	({ value: resource, operations }) =>
		operations.map(({ value: operation }) => ({ resource, operation })),
);

/** Whether an operation waits for a job that it has started. */
export const waitsForJob = ({ resource, operation }: OperationName): boolean =>
	['agent', 'batch', 'crawl'].includes(resource) && operation === 'run';
