/** The options of a request that decide the effect of others. */
export interface ReadingOptions {
	formats?: ReadonlyArray<{ type: string }>;
	checkPromptInjection?: boolean;
	actions?: readonly unknown[];
	headers?: object;
	storeInCache?: boolean;
	onlyCleanContent?: boolean;
	lockdown?: boolean;
	zeroDataRetention?: boolean;
	enterprise?: readonly string[];
}

/**
 * The hints for options that have no effect beside others (docs/api-notes.md, Requests). The
 * service accepts such requests, so they are no errors.
 */
export function withoutEffect(options: ReadingOptions): string[] {
	const { storeInCache, onlyCleanContent, checkPromptInjection, lockdown } = options;
	const { actions = [], headers = {}, enterprise = [], formats = [] } = options;
	const rules: Array<[applies: boolean | undefined, name: string, beside: string]> = [
		[storeInCache && actions.length > 0, 'Store in Cache', 'Actions'],
		[storeInCache && Object.keys(headers).length > 0, 'Store in Cache', 'Headers'],
		[onlyCleanContent && options.zeroDataRetention, 'Only Clean Content', 'Zero Data Retention'],
		[onlyCleanContent && lockdown, 'Only Clean Content', 'Lockdown'],
		[onlyCleanContent && enterprise.includes('zdr'), 'Only Clean Content', 'Enterprise'],
		[
			checkPromptInjection && formats.some(({ type }) => type === 'rawBase64'),
			'Check Prompt Injection',
			'Base64',
		],
	];
	return rules
		.filter(([applies]) => applies)
		.map(([, name, beside]) => `'${name}' has no effect together with '${beside}'`);
}
