import { composeQuery } from '../../../nodes/WebData/fields/queryOperators';

describe('the query and its operators', () => {
	it.each<[Record<string, unknown>, string]>([
		[{ exactPhrase: 'rate limit exceeded' }, 'tides "rate limit exceeded"'],
		[{ exactPhrase: '"rate limit"' }, 'tides "rate limit"'],
		[{ exclude: 'jobs, pricing' }, 'tides -jobs -pricing'],
		[{ exclude: 'job offers' }, 'tides -"job offers"'],
		[{ exclude: 'site:example.com, filetype:pdf' }, 'tides -site:example.com -filetype:pdf'],
		[{ site: 'docs.example.com' }, 'tides site:docs.example.com'],
		[{ filetype: 'pdf' }, 'tides filetype:pdf'],
		[{ inurl: 'blog' }, 'tides inurl:blog'],
		[{ allinurl: 'docs install' }, 'tides allinurl:docs install'],
		[{ intitle: 'changelog' }, 'tides intitle:changelog'],
		[{ allintitle: 'annual report' }, 'tides allintitle:annual report'],
		[{ related: 'example.com' }, 'tides related:example.com'],
		[{ imagesize: '1920x1080' }, 'tides imagesize:1920x1080'],
		[{ larger: '800x600' }, 'tides larger:800x600'],
		[{ site: ' example.com ', exclude: ' , ' }, 'tides site:example.com'],
	])('%j', (operators, composed) => {
		expect(composeQuery('tides', operators)).toBe(composed);
	});

	it('puts the operators that take the rest of the line last', () => {
		const composed = composeQuery('tides', {
			allintitle: 'annual report',
			site: 'a.example',
			exclude: 'x',
		});
		expect(composed).toBe('tides -x site:a.example allintitle:annual report');
	});

	it.each([[undefined], [null], [{}], [{ site: '', exclude: '' }]])(
		'leaves the query as it is with %j',
		(operators) => {
			expect(composeQuery(' tides  and moon ', operators)).toBe(' tides  and moon ');
			expect(composeQuery(5, operators)).toBe(5);
		},
	);

	it('works without words of its own', () => {
		expect(composeQuery('', { site: 'example.com' })).toBe('site:example.com');
		expect(composeQuery(undefined, { site: 'example.com' })).toBe('site:example.com');
	});
});
