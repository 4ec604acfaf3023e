import { z } from 'zod';
import { demo } from './demo.cjs';
import { Screen } from './screen.cjs';

const choiceSchema = z.object({
	example: z.string(),
	query: z.string().optional(),
	baseUrl: z.string().optional(),
	apiKey: z.string().optional(),
});

const screen = Screen.ofProcess();

demo(screen, choiceSchema.parse(JSON.parse(process.env.WEB_DATA_DEMO ?? '{}'))).then(
	(exitCode) => (process.exitCode = exitCode),
	(error: Error) => {
		screen.showError(error);
		process.exitCode = 1;
	},
);
