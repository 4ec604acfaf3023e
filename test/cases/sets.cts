import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestBed } from '../engine/testBed.cjs';
import { projectRoot } from '../root.cjs';
import { caseNames, makeCase, type Case } from './cases.cjs';

const folder = join(projectRoot, 'test/cases');
const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** The version of the package that is being worked on. */
export function currentVersion(): string {
	const { version } = JSON.parse(textOf('package.json')) as { version: string };
	return version;
}

/** The versions that there are cases of. */
export const savedVersions = (): string[] =>
	readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name)
		.sort();

/** The cases of a version, by name. */
export const readSet = (version: string): Array<[name: string, saved: Case]> =>
	readdirSync(join(folder, version)).map((file) => [
		file.replace(/\.json$/, ''),
		JSON.parse(textOf(`test/cases/${version}/${file}`)) as Case,
	]);

/** Whether a version is still being worked on, by the changelog. Cases of any other stay as they are. */
export const isUnreleased = (version: string): boolean =>
	textOf('CHANGELOG.md').includes(`## ${version} - unreleased`);

/** Writes the cases of the version that is being worked on. @throws when it is released */
export async function writeSet(): Promise<void> {
	const version = currentVersion();
	if (!isUnreleased(version)) {
		throw new Error(`Version ${version} is released: its cases are never written again`);
	}
	const testBed = new TestBed();
	await testBed.open();
	try {
		const target = join(folder, version);
		rmSync(target, { recursive: true, force: true });
		mkdirSync(target, { recursive: true });
		for (const name of caseNames) {
			const saved = await makeCase(testBed, name);
			writeFileSync(join(target, `${name}.json`), `${JSON.stringify(saved, null, '\t')}\n`);
			testBed.service.reset();
		}
	} finally {
		await testBed.close();
	}
}
