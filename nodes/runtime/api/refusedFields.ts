import type { INodeProperties } from 'n8n-workflow';
import { displayName } from './displayName';
import { isRecord } from '../values/record';

/** Most problems of a rejected request to report. */
const mostProblems = 50;

/** Most characters of a problem to read. */
const longestMessage = 10_000;

/** Most steps of a path in a response. */
const longestPath = 20;

/** Most nested unions to read. */
const deepestUnion = 5;

/** A problem of a rejected request, with the path of its field. */
export interface Problem {
	path: Array<string | number>;
	message: string;
	/** Whether the server has no such field. The path then ends with it. */
	isUnknown: boolean;
}

type Path = Problem['path'];

const stepsOf = (path: unknown): Path =>
	Array.isArray(path)
		? path
				.slice(0, longestPath)
				.filter((step) => typeof step === 'string' || typeof step === 'number')
		: [];

/**
 * The problems of each branch of a union without a match: `errors` of zod 4, with paths relative to
 * the union, or `unionErrors` of zod 3.
 */
function branchesOf(issue: Record<string, unknown>, above: Path, path: Path, depth: number) {
	const { errors, unionErrors } = issue;
	if (depth > deepestUnion) return [];
	if (Array.isArray(errors)) {
		return errors.slice(0, mostProblems).map((issues: unknown) => listed(issues, path, depth));
	}
	if (!Array.isArray(unionErrors)) return [];
	return unionErrors
		.slice(0, mostProblems)
		.map((error: unknown) => (isRecord(error) ? listed(error.issues, above, depth) : []));
}

/** Whether a branch is the intended one: its type is right, and only a nested field is wrong. */
const isMeant = (problems: Problem[], { length }: Path) =>
	problems.length > 0 &&
	problems.every(
		({ path, isUnknown }) => isUnknown || (path.length > length && path[length] !== 'type'),
	);

function problemsOf(issue: unknown, above: Path, depth: number): Problem[] {
	if (typeof issue === 'string')
		return [{ path: above, message: issue.slice(0, longestMessage).trim(), isUnknown: false }];
	if (!isRecord(issue)) return [];
	const path = [...above, ...stepsOf(issue.path)];
	if (issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)) {
		return stepsOf(issue.keys).map((key) => ({
			path: [...path, key],
			message: 'unknown',
			isUnknown: true,
		}));
	}
	const meant = branchesOf(issue, above, path, depth + 1).find((problems) =>
		isMeant(problems, path),
	);
	if (meant) return meant;
	const message =
		typeof issue.message === 'string' ? issue.message.slice(0, longestMessage).trim() : '';
	return message === '' ? [] : [{ path, message, isUnknown: false }];
}

const listed = (issues: unknown, above: Path, depth: number): Problem[] =>
	Array.isArray(issues)
		? issues
				.slice(0, mostProblems)
				.flatMap((issue: unknown) => problemsOf(issue, above, depth))
				.slice(0, mostProblems)
		: [];

/**
 * The problems in an error's `details`: a text, or the issues of zod 3 or 4, depending on the
 * server's version (https://zod.dev/error-customization).
 */
export const problemsIn = (details: unknown): Problem[] =>
	typeof details === 'string' ? problemsOf(details, [], 0) : listed(details, [], 0);

/** Describes a problem with its field's display name. */
export function describeProblem(
	{ path, message, isUnknown }: Problem,
	fields: readonly INodeProperties[],
) {
	const name = displayName(fields, path);
	if (isUnknown) return `This server does not support '${name}'`;
	return name === '' ? message : `'${name}': ${message}`;
}
