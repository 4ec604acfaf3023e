import {
	CREDENTIAL_EMPTY_VALUE,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeProperties,
	type Icon,
} from 'n8n-workflow';
import { authorization } from '../nodes/runtime/http/authorization';
import { apiUrl, hostedService, staysOnOrigin } from '../nodes/runtime/http/baseUrl';

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
			description: 'Address of the hosted service or of your own, with or without /v2',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'e.g. fc-0123456789abcdef',
			description:
				"Key from the service's dashboard. May stay empty for a self-hosted server without keys.",
		},
		{
			displayName:
				'Keys of the hosted service are on its <a href="https://www.firecrawl.dev/app/api-keys" target="_blank">API Keys page</a>.',
			name: 'keyNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { baseUrl: [hostedService], apiKey: [''] } },
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'Only for triggers and callbacks',
			description:
				"Secret from the service's dashboard that signs its calls. May stay empty unless you use the Web Data Trigger or the wait 'Suspend Until Called Back'.",
		},
		{
			displayName:
				'Before you use the Web Data Trigger or the wait ‘Suspend Until Called Back’, set the webhook secret. Without it, calls cannot be checked: anybody who knows the address of a trigger can start its workflow with data of their own and have pages of a check asked for with your API key, and anybody who knows that of a sleeping execution can have its job looked at.',
			name: 'unsignedNotice',
			type: 'notice',
			default: '',
			// The editor gets this constant for a secret that was saved empty.
			displayOptions: { show: { webhookSecret: ['', CREDENTIAL_EMPTY_VALUE] } },
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSSLIssues',
			type: 'boolean',
			default: false,
			description: 'Whether to connect even if SSL certificate validation is not possible',
		},
	];

	/** Puts the API's address before a path, and the key on requests to the base URL's origin only; no redirect can take it elsewhere. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { baseUrl, apiKey, ignoreSSLIssues } = credentials;
		// n8n's older request helper, which other nodes may use with this credential, says `uri`.
		const target: unknown = request.url ?? Reflect.get(request, 'uri');
		const onOrigin = typeof target === 'string' && staysOnOrigin(target, baseUrl);
		return {
			...request,
			baseURL: apiUrl(baseUrl),
			headers: {
				...request.headers,
				...(onOrigin && authorization(apiKey)),
			},
			// The form of this request, and that of n8n's older helper.
			...(ignoreSSLIssues === true &&
				onOrigin && { skipSslCertificateValidation: true, rejectUnauthorized: false }),
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		};
	}
}
