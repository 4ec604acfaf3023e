import { ensureProgram, findCommand } from './debian.mjs';

/** The Chromium to drive: the one that WEB_DATA_CHROMIUM names, or the first on the path; else undefined. */
export const chromium = () =>
	process.env.WEB_DATA_CHROMIUM || findCommand(['chromium', 'chromium-browser', 'google-chrome']);

/**
 * Makes sure that there is a Chromium, by Debian's packages where they can be had.
 * @throws {Failure} when there is none and none can be installed.
 */
export const ensureChromium = () =>
	ensureProgram(chromium, ['chromium', 'fonts-liberation'], {
		need: 'The tests of the editor need Chromium',
		help: 'put it on the path, or name it with WEB_DATA_CHROMIUM',
	});
