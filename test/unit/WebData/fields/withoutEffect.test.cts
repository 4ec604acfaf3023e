import { withoutEffect, type ReadingOptions } from '../../../../nodes/WebData/fields/withoutEffect';

const unkept = (beside: string) => `'Store in Cache' has no effect together with '${beside}'`;
const uncleaned = (beside: string) =>
	`'Only Clean Content' has no effect together with '${beside}'`;
const unchecked = "'Check Prompt Injection' has no effect together with 'Base64'";

describe('options without effect', () => {
	it.each<[ReadingOptions, string[]]>([
		[{}, []],
		[{ storeInCache: true, actions: [{}] }, [unkept('Actions')]],
		[{ storeInCache: true, headers: { Cookie: 'a' } }, [unkept('Headers')]],
		[
			{ storeInCache: true, headers: { Cookie: 'a' }, actions: [{}] },
			[unkept('Actions'), unkept('Headers')],
		],
		[{ storeInCache: true, headers: {}, actions: [] }, []],
		[{ storeInCache: false, actions: [{}] }, []],
		[{ actions: [{}] }, []],
		[{ onlyCleanContent: true, zeroDataRetention: true }, [uncleaned('Zero Data Retention')]],
		[{ onlyCleanContent: true, lockdown: true }, [uncleaned('Lockdown')]],
		[{ onlyCleanContent: true, enterprise: ['anon', 'zdr'] }, [uncleaned('Enterprise')]],
		[{ onlyCleanContent: true, enterprise: ['default'], lockdown: false }, []],
		[{ onlyCleanContent: false, zeroDataRetention: true }, []],
		[{ checkPromptInjection: true, formats: [{ type: 'rawBase64' }] }, [unchecked]],
		[{ checkPromptInjection: true, formats: [{ type: 'markdown' }] }, []],
		[{ checkPromptInjection: true }, []],
		[{ checkPromptInjection: false, formats: [{ type: 'rawBase64' }] }, []],
	])('of %j are %j', (options, words) => {
		expect(withoutEffect(options)).toEqual(words);
	});
});
