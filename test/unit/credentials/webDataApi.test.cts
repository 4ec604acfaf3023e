import { NodeHelpers, type IHttpRequestOptions } from 'n8n-workflow';
import { WebDataApi } from '../../../credentials/WebDataApi.credentials';

const baseUrl = 'https://api.example.com';
const credential = new WebDataApi();

const authorized = (request: IHttpRequestOptions, apiKey: unknown = 'fc-key') =>
	credential.authenticate({ baseUrl, apiKey: apiKey as string }, request);

const authorization = async (request: IHttpRequestOptions, apiKey?: unknown) =>
	(await authorized(request, apiKey)).headers?.Authorization;

describe('the credential on a request', () => {
	it('puts the address and the key on', async () => {
		const method = 'POST' as const;
		const request = { url: '/search', method, body: { query: 'x' }, headers: { 'x-a': '1' } };
		expect(await authorized(request)).toEqual({
			...request,
			baseURL: 'https://api.example.com/v2',
			headers: { 'x-a': '1', Authorization: 'Bearer fc-key' },
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		});
		expect(request.headers).toEqual({ 'x-a': '1' });
	});

	it('trims the key', async () => {
		expect(await authorization({ url: '/search' }, ' fc-key\n')).toBe('Bearer fc-key');
	});

	it.each([[''], ['  '], [undefined], [null]])(
		'sends no header at all with the key %j',
		async (apiKey) => {
			const given = { baseUrl, apiKey: apiKey as string };
			const { headers } = await credential.authenticate(given, { url: '/search' });
			expect(headers ?? {}).not.toHaveProperty('Authorization');
		},
	);

	it('keeps the key from other origins', async () => {
		for (const url of [
			'https://evil.example/x',
			'//evil.example/x',
			'http://api.example.com/x',
			'https://api.example.com:444/x',
		]) {
			expect(await authorization({ url })).toBeUndefined();
		}
		const own = { url: 'https://api.example.com/v2/crawl/1?skip=10' };
		expect(await authorization(own)).toBe('Bearer fc-key');
	});

	// n8n's HTTP Request node hands its request over in the older form, with `uri` in the place of `url`.
	it('keeps the key from other origins in the older form of a request', async () => {
		const older = (uri: string) =>
			JSON.parse(JSON.stringify({ uri, method: 'GET' })) as IHttpRequestOptions;
		expect(await authorization(older('https://evil.example/x'))).toBeUndefined();
		const own = older('https://api.example.com/v2/team/credit-usage');
		expect(await authorization(own)).toBe('Bearer fc-key');
	});

	it('takes certificates as they are only where the user wants it, and only at the base URL', async () => {
		const skips = async (url: string, ignoreSSLIssues?: boolean) => {
			const given = {
				baseUrl,
				apiKey: 'k',
				...(ignoreSSLIssues !== undefined && { ignoreSSLIssues }),
			};
			return (await credential.authenticate(given, { url })).skipSslCertificateValidation;
		};
		expect(await skips('/search')).toBeUndefined();
		expect(await skips('/search', false)).toBeUndefined();
		expect(await skips('/search', true)).toBe(true);
		expect(await skips('https://evil.example/x', true)).toBeUndefined();
	});

	it('refuses a base URL that is no http(s) address', async () => {
		await expect(
			credential.authenticate({ baseUrl: 'ftp://example.com', apiKey: 'k' }, { url: '/search' }),
		).rejects.toThrow(`The credential's 'Base URL' must start with http:// or https://`);
	});
});

describe('the credential in the editor', () => {
	it('is offered for HTTP Request nodes: n8n sends only own properties to the editor', () => {
		expect(Object.hasOwn(credential, 'authenticate')).toBe(true);
	});

	it('asks for base URL, key and webhook secret, and hides the secrets', () => {
		const shown = credential.properties.map(
			({ name, default: initial, typeOptions, required = false }) => ({
				name,
				initial,
				hidden: typeOptions?.password === true,
				required,
			}),
		);
		expect(shown).toEqual([
			{ name: 'baseUrl', initial: 'https://api.firecrawl.dev', hidden: false, required: true },
			{ name: 'apiKey', initial: '', hidden: true, required: false },
			{ name: 'keyNotice', initial: '', hidden: false, required: false },
			{ name: 'webhookSecret', initial: '', hidden: true, required: false },
			{ name: 'unsignedNotice', initial: '', hidden: false, required: false },
			{ name: 'ignoreSSLIssues', initial: false, hidden: false, required: false },
		]);
	});

	it('has a placeholder in every text field', () => {
		const texts = credential.properties.filter(({ type }) => type === 'string');
		expect(texts).toHaveLength(3);
		expect(texts.filter(({ placeholder = '' }) => placeholder === '')).toEqual([]);
	});

	it.each([
		['a new credential', {}, ['keyNotice', 'unsignedNotice']],
		['a key of the hosted service', { apiKey: 'fc-1' }, ['unsignedNotice']],
		['a server of one’s own', { baseUrl: 'https://firecrawl.example.com' }, ['unsignedNotice']],
		['all that there is', { apiKey: 'fc-1', webhookSecret: 's' }, []],
	])('of %s shows the notices that apply', (_name, given, notices) => {
		const values = {
			baseUrl: 'https://api.firecrawl.dev',
			apiKey: '',
			webhookSecret: '',
			...given,
		};
		const shown = credential.properties
			.filter(({ type }) => type === 'notice')
			.filter((property) => NodeHelpers.displayParameter(values, property, null, null));
		expect(shown.map(({ name }) => name)).toEqual(notices);
	});

	it('links the page of the keys', () => {
		const { displayName = '' } =
			credential.properties.find(({ name }) => name === 'keyNotice') ?? {};
		expect(displayName).toContain('href="https://www.firecrawl.dev/app/api-keys"');
	});
});
