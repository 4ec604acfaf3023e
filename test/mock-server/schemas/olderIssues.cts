import { ApiError } from '../errors.cjs';
import { unknownKey } from './body.cjs';

type Issue = Record<string, unknown>;

const isIssue = (value: unknown): value is Issue => typeof value === 'object' && value !== null;

const listIn = (value: unknown): Issue[] => (Array.isArray(value) ? value.filter(isIssue) : []);

const expectation = /expected (\S+), received (\S+)/;

/** An issue of zod 4 as zod 3 has it (https://v3.zod.dev/ERROR_HANDLING). */
function older({ origin, format, pattern: _, values, errors, ...issue }: Issue): Issue {
	const { code, message } = issue;
	const [, expected, received] = expectation.exec(String(message)) ?? [];
	switch (code) {
		case 'invalid_type': {
			const words =
				received === 'undefined' ? 'Required' : `Expected ${expected}, received ${received}`;
			return { ...issue, expected, received, message: words };
		}
		case 'invalid_format':
			return { ...issue, code: 'invalid_string', validation: format };
		case 'invalid_value':
			return Array.isArray(values) && values.length === 1
				? { ...issue, code: 'invalid_literal', expected: values[0] }
				: { ...issue, code: 'invalid_enum_value', options: values };
		case 'invalid_union': {
			const branches = Array.isArray(errors) ? errors : [];
			const unionErrors = branches.map((branch) => ({
				name: 'ZodError',
				issues: listIn(branch).map((each) =>
					older({ ...each, path: [issue.path, each.path].flat() }),
				),
			}));
			return { ...issue, unionErrors };
		}
		case 'too_big':
		case 'too_small':
			return { ...issue, type: origin, exact: false };
		case 'unrecognized_keys':
			return { ...issue, message: unknownKey };
		default:
			return issue;
	}
}

/** A refusal as a server of 2025 words it, which speaks zod 3 and says of every one `Bad Request`. */
export function olderRefusal(error: unknown): unknown {
	if (!(error instanceof ApiError) || !Array.isArray(error.body.details)) return error;
	const { status, body, headers, credits } = error;
	const details = listIn(body.details).map(older);
	const sentence = body.error === unknownKey ? 'Bad Request' : body.error;
	return new ApiError(status, { ...body, error: sentence, details }, headers, credits);
}
