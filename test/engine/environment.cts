/** What n8n reads from its environment while its modules load: import this before n8n-core. Settings of the caller win, such as N8N_LOG_LEVEL=debug. */
const settings: Record<string, string> = {
	N8N_LOG_LEVEL: 'silent',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
};

for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;

// Requests honour proxy settings; the mock server is on this machine and must stay reachable.
process.env.NO_PROXY = [process.env.NO_PROXY, '127.0.0.1', 'localhost'].filter(Boolean).join(',');
