import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod/v4';
import { useTestBed } from '../../engine/testBed.cjs';
import listed from './bodies.json';
import { converted } from './build.cjs';

/** Bodies of HTTP Request nodes, the item that comes in, and what the converted node sends. */
const bodies = z
	.array(
		z.strictObject({
			path: z.string(),
			before: z.union([z.string(), z.record(z.string(), z.json())]),
			input: z.record(z.string(), z.json()).default({}),
			after: z.unknown(),
		}),
	)
	.parse(listed);

const testBed = useTestBed();

it.each(bodies)(
	'A converted HTTP Request node sends $before to $path as $after',
	async ({ path, before, input, after }) => {
		const { workflow, parametersOf } = converted([['Node', `POST ${path}`, before]]);
		expect(workflow.nodes[1].type).toBe('n8n-nodes-web-data.webData');

		const run = await testBed.engine.runNode({
			credentials: testBed.account().credentials,
			parameters: parametersOf('Node') as INodeParameters,
			input: [input],
		});

		expect(run.error?.message).toBeUndefined();
		// The mock server accepts only what the API's documentation allows.
		const [request] = testBed.service.log.entries.filter(({ method }) => method === 'POST');
		const { origin: _origin, integration: _integration, ...sent } = Object(request.body);
		expect(sent).toEqual(after);
	},
);
