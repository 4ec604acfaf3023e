import { z } from 'zod';

import { strict } from './body.cjs';
import { screenshotFields } from './formats.cjs';

const action = z.discriminatedUnion('type', [
	strict({
		type: z.literal('wait'),
		milliseconds: z.number().int().min(1).optional(),
		selector: z.string().min(1).optional(),
	}),
	strict({ type: z.literal('screenshot'), ...screenshotFields }),
	strict({
		type: z.literal('click'),
		selector: z.string().min(1),
		all: z.boolean().optional(),
	}),
	strict({ type: z.literal('write'), text: z.string() }),
	strict({ type: z.literal('press'), key: z.string().min(1) }),
	strict({
		type: z.literal('scroll'),
		direction: z.enum(['up', 'down']).optional(),
		selector: z.string().min(1).optional(),
	}),
	strict({ type: z.literal('scrape') }),
	strict({ type: z.literal('executeJavascript'), script: z.string().min(1) }),
	strict({
		type: z.literal('pdf'),
		format: z
			.enum(['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'])
			.optional(),
		landscape: z.boolean().optional(),
		scale: z.number().positive().optional(),
	}),
]);
export type Action = z.output<typeof action>;

export const actions = z
	.array(action)
	.max(50, 'At most 50 actions')
	.superRefine((list, check) => {
		list.forEach((each, index) => {
			if (each.type !== 'wait') return;
			if ((each.milliseconds === undefined) === (each.selector === undefined)) {
				check.addIssue({
					code: 'custom',
					message: 'Either milliseconds or selector must be given, not both',
					path: [index],
				});
			}
		});
	});

/** Milliseconds that the wait actions are reckoned at; a selector wait counts one second. */
export function waitingTime(list: readonly Action[] = []): number {
	return list
		.map((each) => (each.type === 'wait' ? (each.milliseconds ?? 1000) : 0))
		.reduce((sum, ms) => sum + ms, 0);
}
