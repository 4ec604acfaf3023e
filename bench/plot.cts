import { titles, type Contender } from './contenders.cjs';
import type { Findings, Point } from './bench.cjs';

const width = 640;
const height = 400;
const margin = { left: 70, right: 20, top: 50, bottom: 60 };

const colours: Partial<Record<Contender, string>> = { ours: '#1f6feb', peer: '#b35900' };

/** Throughput against the plan's limit as an SVG picture, with the limit itself as the line that nobody can pass. */
export function plotOf(plot: NonNullable<Findings['plot']>): string {
	const lines = Object.entries(plot) as Array<[Contender, Point[]]>;
	const limits = lines.flatMap(([, points]) => points.map(({ limit }) => limit));
	const most = Math.max(...limits);
	const x = (limit: number) => margin.left + (limit / most) * (width - margin.left - margin.right);
	const y = (value: number) =>
		height - margin.bottom - (value / most) * (height - margin.top - margin.bottom);
	const at = (limit: number, value: number) => `${x(limit).toFixed(1)},${y(value).toFixed(1)}`;
	const text = (left: number, top: number, words: string, more = 'text-anchor="middle"') =>
		`<text x="${left.toFixed(1)}" y="${top.toFixed(1)}" ${more}>${words}</text>`;
	const ticks = [...new Set(limits)].flatMap((limit) => [
		`<path d="M${at(limit, 0)}v5M${at(0, limit)}h-5" stroke="#57606a"/>`,
		text(x(limit), y(0) + 20, String(limit)),
		text(x(0) - 10, y(limit) + 4, String(limit), 'text-anchor="end"'),
	]);
	const curves = lines.flatMap(([contender, points], index) => {
		const colour = colours[contender] ?? '#57606a';
		const path = points.map(({ limit, throughput }) => at(limit, throughput)).join(' ');
		const dots = points.map(({ limit, throughput }) => {
			const [left, top] = [x(limit), y(throughput)].map((place) => place.toFixed(1));
			return `<circle cx="${left}" cy="${top}" r="4" fill="${colour}"/>`;
		});
		const key = 60 + 20 * (index + 1);
		return [
			`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
			...dots,
			`<path d="M90,${key}h24" stroke="${colour}" stroke-width="2"/>`,
			text(122, key + 4, titles[contender], 'text-anchor="start"'),
		];
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" fill="#24292f" role="img" aria-label="Throughput against the limit of the plan">`,
		`<rect width="${width}" height="${height}" fill="#ffffff"/>`,
		text(
			width / 2,
			26,
			'Answers per minute once the plan’s bucket is empty',
			'text-anchor="middle" font-size="15"',
		),
		`<path d="M${at(0, most)}L${at(0, 0)}L${at(most, 0)}" fill="none" stroke="#57606a"/>`,
		...ticks,
		`<path d="M${at(0, 0)}L${at(most, most)}" stroke="#57606a" stroke-dasharray="5 5"/>`,
		'<path d="M90,60h24" stroke="#57606a" stroke-dasharray="5 5"/>',
		text(122, 64, 'what the plan allows', 'text-anchor="start"'),
		...curves,
		text(width / 2, height - 16, 'Limit of the plan, requests per minute'),
		text(
			0,
			0,
			'Answers per minute',
			`text-anchor="middle" transform="translate(20 ${height / 2}) rotate(-90)"`,
		),
		'</svg>',
		'',
	].join('\n');
}
