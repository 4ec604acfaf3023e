import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { convert } from './convert.cjs';
import { reportText } from './report.cjs';
import { InputError, parseWorkflow } from './workflow.cjs';

/** What scripts/convert.mjs passes on. */
interface Request {
	files: string[];
	out: string;
	hosts: string[];
}

/** Converts a file, writes the result and prints the report. Returns whether it was a workflow. */
function convertFile(file: string, { out, hosts }: Request): boolean {
	try {
		const { workflow, report } = convert(parseWorkflow(readFileSync(file, 'utf8')), { hosts });
		const target = join(out, basename(file));
		mkdirSync(out, { recursive: true });
		// A disk that is full leaves no half of a workflow.
		writeFileSync(`${target}.part`, `${JSON.stringify(workflow, null, 2)}\n`);
		renameSync(`${target}.part`, target);
		console.log(`${file} → ${target}\n${reportText(report)}\n`);
		return true;
	} catch (error) {
		const isExpected = error instanceof InputError || (error instanceof Error && 'code' in error);
		if (!isExpected) throw error;
		console.error(`✖ ${file}: ${error.message}\n`);
		return false;
	}
}

const request: Request = JSON.parse(process.env.WEB_DATA_CONVERT ?? '{}');
const converted = request.files.map((file) => convertFile(file, request));
process.exitCode = converted.every((isDone) => isDone) ? 0 : 1;
