/** The options of a request that decide on the effect of others. */
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
 * What to say of options that have no effect beside others (docs/api-notes.md, Requests). The service
 * takes such requests, so they are no errors.
 */
export function withoutEffect(options: ReadingOptions): string[] {
	const { actions = [], headers = {}, enterprise = [], formats = [] } = options;
	const keepsNothing: Array<[boolean, string]> = [
		[actions.length > 0, 'Actions'],
		[Object.keys(headers).length > 0, 'Headers'],
	];
	const handsOn: Array<[boolean, string]> = [
		[formats.some(({ type }) => type === 'rawBase64'), 'Base64'],
	];
	const readsNothing: Array<[boolean | undefined, string]> = [
		[options.zeroDataRetention, 'Zero Data Retention'],
		[options.lockdown, 'Lockdown'],
		[enterprise.includes('zdr'), 'Enterprise'],
	];
	const told = (
		isSet: boolean | undefined,
		name: string,
		rules: Array<[boolean | undefined, string]>,
	) =>
		rules
			.filter(([applies]) => isSet && applies)
			.map(([, beside]) => `'${name}' has no effect beside '${beside}'`);
	return [
		...told(options.storeInCache, 'Store in Cache', keepsNothing),
		...told(options.onlyCleanContent, 'Only Clean Content', readsNothing),
		...told(options.checkPromptInjection, 'Check Prompt Injection', handsOn),
	];
}
