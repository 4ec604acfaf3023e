import { ensureDemo } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { execute, runSteps } from './run.mjs';

const HELP = `The mock server alone: npm run service -- [port] [options]

  --server AGE     the routes, members of requests and failures of a server of that age:
                   2025-08, 2026-04, 2026-08 or newest (the default)
  --self-hosted    a server on somebody's own machine: no keys, no database, no browsers
  --help           this text`;

const args = process.argv.slice(2);
if (args.includes('--help')) {
	console.log(HELP);
} else {
	const { exitCode } = await runSteps([
		['Install what is missing', ensureInstalled],
		['Compile the mock server', ensureDemo],
		[
			'Run the mock server',
			() => execute(process.execPath, ['.build/test/mock-server/main.cjs', ...args]),
		],
	]);
	process.exitCode = exitCode;
}
