import { saveSite, nameOf, recall } from '../../../../../nodes/WebData/resources/site/siteMemory';
import type { NodeMemory } from '../../../../../nodes/runtime/operation/operation';

describe('what a node remembers of websites', () => {
	it('is that of the 50 that were read last', () => {
		const kept = new Map<string, unknown>([['no website', { at: '2020-01-01T00:00:00.000Z' }]]);
		const stored: NodeMemory = {
			get: (name) => kept.get(name),
			names: () => [...kept.keys()],
			set: (name, value) => void (value ? kept.set(name, value) : kept.delete(name)),
		};
		const read = (site: number, minute: number) => {
			const name = nameOf(`https://site-${site}.example/`);
			saveSite(name, recall(name, stored), stored, new Date(Date.UTC(2026, 0, 1, 0, minute)));
			return name;
		};
		const names = Array.from({ length: 50 }, (_, site) => read(site, 100 - site));
		read(49, 200);

		names.push(read(50, 300));

		expect(names.filter((name) => !kept.has(name))).toEqual([names[48]]);
		expect(kept.has('no website')).toBe(true);
	});
});
