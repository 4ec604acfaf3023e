import {
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeProperties,
	type Icon,
} from 'n8n-workflow';
import { hostedService } from '../nodes/runtime/http/endpoint';

let code: Promise<typeof import('../nodes/runtime/http/credential.js')> | undefined;

/** Where the service is and who calls it (https://docs.firecrawl.dev/api-reference/introduction). */
export class WebDataApi implements ICredentialType {
	name = 'webDataApi';

	displayName = 'Web Data API';

	icon: Icon = {
		light: 'file:../icons/webData.svg',
		dark: 'file:../icons/webData.dark.svg',
	};

	// n8n's linter wants it literal; a test holds it to the address in package.json.
	documentationUrl =
		'https://github.com/n8n-nodes-web-data/n8n-nodes-web-data/blob/main/README.md#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: hostedService,
			required: true,
			placeholder: 'e.g. https://firecrawl.example.com',
			description: 'URL of the hosted service or your own server, with or without /v2',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'e.g. fc-0123456789abcdef',
			description:
				'Key from <a href="https://www.firecrawl.dev/app/api-keys" target="_blank">Firecrawl\'s API Keys page</a>. Can be empty for a self-hosted server without keys.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'Only for webhook events',
			description:
				'Secret from the settings of the Firecrawl dashboard, which signs events. Only for Webhook Events of the Web Data Trigger.',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSSLIssues',
			type: 'boolean',
			default: false,
			description: 'Whether to connect even if SSL certificate validation is not possible',
		},
		{
			displayName: 'Headers',
			name: 'headers',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			placeholder: 'Add Header',
			description: 'Further request headers, for a server behind an access proxy',
			options: [
				{
					displayName: 'Header',
					name: 'values',
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. CF-Access-Client-Id',
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							typeOptions: { password: true },
							default: '',
						},
					],
				},
			],
		},
	];

	/**
	 * Puts the API's base URL before a path, and the key and further headers on requests to the base
	 * URL's origin only; no redirect can take them elsewhere. An own property, since n8n's editor offers the credential in the
	 * HTTP Request node only then. Every n8n loads the class when it starts, so the rest is imported at first use.
	 */
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		code ??= import('../nodes/runtime/http/credential.js');
		const { apiUrl, credentialHeaders, staysOnOrigin } = await code;
		// n8n's older request helper, which other nodes may use with this credential, says `uri`.
		const target: unknown = request.url ?? Reflect.get(request, 'uri');
		const { baseUrl, ignoreSSLIssues } = credential;
		const onOrigin = typeof target === 'string' && staysOnOrigin(target, baseUrl);
		// Not a spread, after which each further field takes V8 long.
		return Object.assign(
			{},
			request,
			{
				baseURL: apiUrl(baseUrl),
				headers: { ...request.headers, ...(onOrigin && credentialHeaders(credential)) },
				disableFollowRedirect: true,
				sendCredentialsOnCrossOriginRedirect: false,
			},
			// The form of this request, and that of n8n's older helper.
			ignoreSSLIssues === true &&
				onOrigin && { skipSslCertificateValidation: true, rejectUnauthorized: false },
		);
	};
}
