import { pagePrice, type PricedOptions } from '../../../../nodes/WebData/fields/prices';

const json = { type: 'json', checkPromptInjection: true };

describe('the price of a page', () => {
	it.each<[PricedOptions, number]>([
		[{}, 1],
		[{ formats: [{ type: 'markdown' }] }, 1],
		[{ formats: [{ type: 'json' }] }, 5],
		[{ formats: [json] }, 9],
		[{ formats: [json, json] }, 17],
		[{ checkPromptInjection: true }, 5],
		[{ checkPromptInjection: false }, 1],
		[{ formats: [{ type: 'json' }], checkPromptInjection: true }, 9],
		[{ formats: [json], checkPromptInjection: true }, 9],
		[{ lockdown: true, redactPII: true, zeroDataRetention: true }, 10],
		[{ threatProtection: { mode: 'normal' } }, 3],
		[{ threatProtection: { mode: 'zscaler' } }, 3],
		[{ threatProtection: { mode: 'manual-only' } }, 1],
		[{ threatProtection: { mode: 'off' } }, 1],
	])('%j costs %i credits', (options, credits) => {
		expect(pagePrice(options)).toBe(credits);
	});
});
