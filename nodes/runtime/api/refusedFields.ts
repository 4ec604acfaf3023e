import type { INodeProperties } from 'n8n-workflow';
import { displayName } from './displayName';
import { isRecord } from '../values/record';

/** Most problems of a refused request that are told. */
const mostProblems = 50;

/** Most characters of a problem that are looked at. */
const longestWords = 10_000;

/** Most steps of a path from outside. */
const longestPath = 20;

/** Most unions inside one another whose branches are looked at. */
const deepestUnion = 5;

/** One problem of a refused request, with the way to its field. */
export interface Problem {
	path: Array<string | number>;
	message: string;
	/** Whether the server has no such field; the path then ends with it. */
	isUnknown: boolean;
}

type Path = Problem['path'];

const stepsOf = (path: unknown): Path =>
	Array.isArray(path)
		? path
				.slice(0, longestPath)
				.filter((step) => typeof step === 'string' || typeof step === 'number')
		: [];

/** The problems of each branch of a union that fits none of them: `errors` of zod 4, whose paths begin at the union, or `unionErrors` of zod 3. */
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

/** Whether a branch is the one that was meant: its type is right, and only something inside is wrong. */
const isMeant = (problems: Problem[], { length }: Path) =>
	problems.length > 0 &&
	problems.every(
		({ path, isUnknown }) => isUnknown || (path.length > length && path[length] !== 'type'),
	);

function problemsOf(issue: unknown, above: Path, depth: number): Problem[] {
	if (typeof issue === 'string')
		return [{ path: above, message: issue.slice(0, longestWords).trim(), isUnknown: false }];
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
		typeof issue.message === 'string' ? issue.message.slice(0, longestWords).trim() : '';
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
 * The problems that a refusal lists under `details`: a text, or the issues of zod 3 or 4, which servers
 * of different age send (https://zod.dev/error-customization).
 */
export const problemsIn = (details: unknown): Problem[] =>
	typeof details === 'string' ? problemsOf(details, [], 0) : listed(details, [], 0);

/** A problem with its field's name, as the user sees it. */
export function describeProblem(
	{ path, message, isUnknown }: Problem,
	fields: readonly INodeProperties[],
) {
	const name = displayName(fields, path);
	if (isUnknown) return `This server does not support '${name}'`;
	return name === '' ? message : `'${name}': ${message}`;
}
