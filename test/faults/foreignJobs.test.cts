import fc from 'fast-check';
import { reported } from './controls.cjs';
import { foreignSetups, useForeignJobs } from './foreignJobs.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { defect, usePlants, type Plant } from './plants.cjs';

/** A start whose response is lost never harms, nor takes, the job of another client. */
describe('jobs of other clients beside a lost start', () => {
	const runs = useForeignJobs();
	const countOne = useCount('lost starts beside jobs of others');
	const plant = usePlants('dist');

	it('are neither taken nor cancelled, and the own one is named', async () => {
		await fc.assert(
			fc.asyncProperty(foreignSetups, async (setup) => {
				countOne();
				expect(await runs.findingsOf(setup)).toEqual([]);
			}),
			{ seed: seedOf('foreign jobs'), numRuns: scaled(150), ...replay() },
		);
		// Neither may be what always happens.
		expect(runs.count.recovered).toBeGreaterThan(0);
		expect(runs.count.named).toBeGreaterThan(0);
	});

	it.each<[string, Plant, RegExp]>([
		[
			'a job that is taken without proof',
			defect('jobs/ownJob', 'judge', (original) => async (...args) => {
				const judged = await original(...args);
				const own = 'own' in judged ? judged.own : judged.candidates.at(-1);
				return own ? { own } : judged;
			}),
			/^took another client's job/,
		],
		[
			'jobs that may be the own one and are not named',
			defect('jobs/ownJob', 'judge', (original) => async (...args) => {
				const judged = await original(...args);
				return 'own' in judged ? judged : { candidates: [] };
			}),
			/^an own job that nothing names$/,
		],
		[
			'a job that is cancelled though no response has named it',
			defect('http/send', 'send', (original) => async (...args) => {
				const { isRecovered: _, ...answer } = await original(...args);
				return answer;
			}),
			/^told a job to stop that no response had named$/,
		],
	])('reports %s', async (_name, planted, finding) => {
		plant(planted);
		expect(
			await reported(foreignSetups, async (setup) => await runs.findingsOf(setup), finding),
		).toMatch(finding);
	});
});
