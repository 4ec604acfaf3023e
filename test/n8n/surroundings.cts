/** What the scripts have prepared for n8n: see scripts/n8n.mjs. */
export interface Surroundings {
	/** Where n8n is installed. */
	n8n: string;
	/** The Node that runs it. */
	node: string;
	/** The pack as npm would publish it. */
	tarball: string;
	/** Removed at the end, whatever happens; process groups noted below its `processes` are ended. */
	work: string;
	/** Whether n8n gets the settings of n8n 3.0. */
	isNearThree: boolean;
	/** The browser to drive; not there for tests that need none. */
	chromium?: string;
	/** The servers of what n8n's queue needs; not there for what needs none. */
	redis?: string;
	postgres?: string;
}

/** Reads the surroundings from the environment. @throws when this was not started by the scripts */
export function surroundings(): Surroundings {
	const given = (name: string): string => {
		const value = process.env[`WEB_DATA_${name}`];
		if (value === undefined) throw new Error('Start this by npm run test:n8n or npm run dev');
		return value;
	};
	return {
		n8n: given('N8N'),
		node: given('NODE'),
		tarball: given('TARBALL'),
		work: given('WORK'),
		isNearThree: process.env.WEB_DATA_AS === '3.0',
		chromium: process.env.WEB_DATA_CHROMIUM,
		redis: process.env.WEB_DATA_REDIS,
		postgres: process.env.WEB_DATA_POSTGRES,
	};
}
