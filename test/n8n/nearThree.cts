/** Settings by which n8n 2.41 does what n8n 3.0 does without them (docs/versions.md), but allows loopback, where the mock server listens. */
export const nearThree = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_BLOCKED_IP_RANGES: 'default,::/128,100.64.0.0/10,2002::/16,64:ff9b::/96',
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8,::1/128',
	N8N_EXPRESSION_ENGINE: 'vm',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
};
