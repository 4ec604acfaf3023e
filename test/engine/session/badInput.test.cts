import type { INodeParameters } from 'n8n-workflow';
import { unknownId, useSessions } from './sessions.cjs';

/** What the message says: the field by its name in the editor, and why. */
type BadInput = [operation: string, set: INodeParameters, says: string];

const more = (set: INodeParameters): INodeParameters => ({
	additionalFields: set,
});

const bad: Record<string, BadInput> = {
	'29 seconds to live': ['create', { ttl: 29 }, "'Time to Live' must be a whole number from 30 to"],
	'an hour and a second': ['create', { ttl: 3601 }, 'to 3,600 seconds, not 3601'],
	'half a second': ['create', { ttl: 60.5 }, "'Time to Live' must be a whole number"],
	'9 idle seconds': [
		'create',
		more({ activityTtl: 9 }),
		"'Idle Time' must be a whole number from 10",
	],
	'a profile without a name': [
		'create',
		more({ profile: { saveChanges: true } }),
		"'Profile > Name' is required",
	],
	'a profile name of 129': [
		'create',
		more({ profile: { name: 'x'.repeat(129) } }),
		"'Profile > Name' must be at most 128 bytes",
	],
	'a switch in words': [
		'create',
		{ closeSession: '={{ "maybe" }}' },
		"'Close Session at End' must be true or false, not maybe",
	],
	'no session': ['execute', { sessionId: '={{ "" }}' }, "'Session ID' is required"],
	'a session that climbs the path': ['execute', { sessionId: '..' }, "'Session ID' must be an ID"],
	'no code': ['execute', { code: '={{ "" }}' }, "'Code' is required"],
	'blank code': ['execute', { code: '={{ "\\n" }}' }, "'Code' must not be blank"],
	'100,001 bytes of code': [
		'execute',
		{ code: `={{ "é".repeat(50001) }}` },
		"'Code' must be at most 100,000 bytes long",
	],
	'another language': [
		'execute',
		{ language: '={{ "ruby" }}' },
		"'Language' must be one of bash, node, python, not ruby",
	],
	'no time': [
		'execute',
		more({ timeout: 0 }),
		"'Timeout' must be a whole number from 1 to 300 seconds",
	],
	'301 seconds': ['execute', more({ timeout: 301 }), 'not 301'],
	'another state': [
		'getAll',
		more({ status: '={{ "asleep" }}' }),
		"'Status' must be one of active, destroyed, error, not asleep",
	],
	'no results': ['getAll', { limit: 0 }, "'Limit' must be a whole number of at least 1, not 0"],
	'no session to close': [
		'delete',
		{ sessionId: '={{ $json.absent }}' },
		"'Session ID' is required",
	],
	'a session above to close': ['delete', { sessionId: '.' }, "'Session ID' must be an ID"],
	'a scrape to stop that climbs': ['stop', { jobId: '../x' }, "'Scrape ID' must be an ID such as"],
	'a scrape that is none': ['interact', { jobId: 'page 1' }, "'Scrape ID' must be an ID such as"],
	'no prompt': ['interact', { prompt: '={{ "" }}' }, "'Prompt' is required"],
	'10,001 characters of prompt': [
		'interact',
		{ prompt: 'x'.repeat(10_001) },
		"'Prompt' must be at most 10,000 characters long, not 10,001",
	],
	'a task without its code': [
		'interact',
		{ taskType: 'code', code: '={{ "" }}' },
		"'Code' is required",
	],
	'100,001 bytes of code on a page': [
		'interact',
		{ taskType: 'code', code: 'x'.repeat(100_001) },
		"'Code' must be at most 100,000 bytes long, not 100,001",
	],
	'a task of another kind': [
		'interact',
		{ taskType: '={{ "dance" }}', code: '1' },
		"'Task' must be one of code, prompt, not dance",
	],
	'another session that climbs': [
		'interact',
		more({ existingSessionId: '..' }),
		"'Existing Session ID' must be an ID",
	],
	'a page with 29 seconds to live': ['interact', more({ ttl: 29 }), "'Time to Live' must be"],
};

describe('bad input to a session operation', () => {
	const sessions = useSessions();
	const complete: Record<string, INodeParameters> = {
		execute: { sessionId: unknownId, code: '1' },
		interact: { jobId: unknownId, prompt: 'Read it' },
	};

	it.each(Object.entries(bad))(
		'is refused before any request: %s',
		async (_name, [operation, set, says]) => {
			const run = await sessions.run(operation, {
				...complete[operation],
				...set,
			});

			expect(run.status).toBe('error');
			expect(run.error?.message).toContain(says);
			expect(run.error?.message).toContain('[item 0]');
			expect(run.error?.description).toBe('Nothing was sent and nothing was charged.');
			expect(sessions.requests).toEqual([]);
		},
	);

	it('stops the whole run before its first request when one item is bad', async () => {
		const run = await sessions.run(
			'interact',
			{ jobId: unknownId, prompt: '={{ $json.prompt }}' },
			{ input: [{ prompt: 'Read it' }, { prompt: '' }] },
		);

		expect(run.error?.message).toMatch(/'Prompt'.*\[item 1\]/);
		expect(sessions.requests).toEqual([]);
	});
});
