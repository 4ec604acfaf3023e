import { preparation, surroundings } from './inN8n.mjs';
import { execute, runSteps } from './run.mjs';
import { withWorkFolder } from './workFolder.mjs';

const { exitCode } = await withWorkFolder(async (work) => {
	let tarball;
	return await runSteps([
		...preparation(work, (path) => void (tarball = path)),
		[
			'Run n8n',
			() =>
				execute(process.execPath, ['.build/test/n8n/main.cjs', ...process.argv.slice(2)], {
					env: surroundings(work, { WEB_DATA_TARBALL: tarball }),
				}),
		],
	]);
});
process.exitCode = exitCode;
