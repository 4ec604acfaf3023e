import { seededRandom } from '../seededRandom.cjs';

const wholeNumber = (name: string): number | undefined => {
	const { [name]: text = '' } = process.env;
	return /^-?\d+$/.test(text) ? Number(text) : undefined;
};

/** The seed of all that is drawn: WEB_DATA_FAULTS_SEED, which npm run test:fuzz sets and prints. */
export const seed = wholeNumber('WEB_DATA_FAULTS_SEED') ?? 1;

/** The seed of one of several properties, so that each draws something else: it differs with the name. */
export const seedOf = (name: string): number =>
	[...name].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) | 0, seed);

/** How often something is tried: as the fuzz run says, times WEB_DATA_FAULTS_SCALE in percent. */
export const scaled = (usual: number): number =>
	Math.max(1, Math.round((usual * (wholeNumber('WEB_DATA_FAULTS_SCALE') ?? 100)) / 100));

/** As many of a list as the scale says, drawn anew for each name; all of them at 100 percent and more. */
export function sampled<Value>(name: string, all: readonly Value[]): Value[] {
	const random = seededRandom(seedOf(name));
	const drawn = all.map((value, place) => ({ value, place, rank: random() }));
	return drawn
		.sort((one, other) => one.rank - other.rank)
		.slice(0, scaled(all.length))
		.sort((one, other) => one.place - other.place)
		.map(({ value }) => value);
}

/** How long the soak goes on, in minutes: WEB_DATA_FAULTS_MINUTES; as short as it can be when left out. */
export const minutes = wholeNumber('WEB_DATA_FAULTS_MINUTES') ?? 0;

/** Where in its sequence a failed property is to begin again, as its report says: WEB_DATA_FAULTS_PATH. */
export const replay = (): { path?: string; endOnFailure?: boolean } => {
	const { WEB_DATA_FAULTS_PATH: path } = process.env;
	return path ? { path, endOnFailure: true } : {};
};

/** The one operation to try, such as "agent: run": WEB_DATA_FAULTS_ONLY; all when undefined. */
export const only = process.env.WEB_DATA_FAULTS_ONLY || undefined;

/** Counts what the fuzz run of a file tries; the count is printed when its tests have ended. */
export function useCount(what: string): () => void {
	let count = 0;
	afterAll(() => void process.stdout.write(`Tried: ${count} ${what}\n`));
	return () => {
		count += 1;
	};
}

/** Secrets that must turn up nowhere but in the header of requests to the service. */
export const canaries = {
	key: 'fc-ca9a91ca9a91ca9a91ca9a91ca9a9100',
	webhookSecret: 'whsec-ca9a91-5ec4e7',
};
