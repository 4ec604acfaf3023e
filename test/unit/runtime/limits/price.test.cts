import {
	fixedPrice,
	free,
	openPrice,
	price,
	sumOf,
	upTo,
} from '../../../../nodes/runtime/limits/price';

describe('what several things cost together', () => {
	it('is the sum of their bounds, each reason once', () => {
		const sum = sumOf([fixedPrice(1, 'a'), price(0, 4, 'b'), fixedPrice(4, 'a')]);
		expect(sum).toEqual({ least: 5, most: 9, reserved: 9, reasons: ['a', 'b'] });
		expect(sumOf([])).toEqual({ least: 0, most: 0, reserved: 0, reasons: [] });
	});

	it('is not known where that of one is not', () => {
		const open = { ...openPrice(1, 3, 'open'), runsAlone: true };
		expect(sumOf([fixedPrice(2, 'a'), open])).toEqual({
			least: 3,
			most: null,
			reserved: 5,
			runsAlone: true,
			reasons: ['a', 'open'],
		});
	});

	it('says that PDFs cost more where they do for one', () => {
		const page = { ...fixedPrice(1), pdfsCostMore: true };
		expect(sumOf([free, page]).pdfsCostMore).toBe(true);
		expect(sumOf([free, free]).pdfsCostMore).toBeUndefined();
	});
});

describe('what any number of a thing costs', () => {
	it('is nothing at the least', () => {
		const some = { least: 0, most: 15, reserved: 15, reasons: ['each'] };
		expect(upTo(3, price(1, 5, 'each'))).toEqual(some);
	});

	it('has no bound where one has none', () => {
		expect(upTo(3, openPrice(1, 1))).toMatchObject({ least: 0, most: null, reserved: 3 });
	});
});
