exports.Toy = class Toy {
	description = {
		name: 'toy',
		displayName: 'Toy',
		group: ['transform'],
		version: 1,
		description: 'Does what its action says',
		defaults: { name: 'Toy' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'toyApi', required: false }],
		properties: [
			{ displayName: 'Action', name: 'action', type: 'string', default: '', required: true },
			{ displayName: 'Value', name: 'value', type: 'string', default: '' },
		],
	};

	async execute() {
		const items = this.getInputData();
		const actions = {
			echo: async (itemIndex) => ({ json: { value: this.getNodeParameter('value', itemIndex) } }),
			fetch: async () => {
				const { baseUrl } = await this.getCredentials('toyApi');
				const url = `${baseUrl}/echo`;
				return {
					json: await this.helpers.httpRequestWithAuthentication.call(this, 'toyApi', { url }),
				};
			},
			file: async (itemIndex) => ({
				json: {},
				binary: {
					data: await this.helpers.prepareBinaryData(
						Buffer.from(this.getNodeParameter('value', itemIndex)),
						'note.txt',
					),
				},
			}),
			fail: async () => {
				throw new Error('The toy broke');
			},
			wait: async () =>
				await new Promise((_resolve, reject) => {
					this.onExecutionCancellation(() => reject(new Error('The wait was canceled')));
				}),
		};
		this.addExecutionHints({ message: `${items.length} items`, location: 'outputPane' });
		const output = [];
		for (const itemIndex of items.keys()) {
			try {
				const action = actions[this.getNodeParameter('action', itemIndex)];
				output.push({ ...(await action(itemIndex)), pairedItem: itemIndex });
			} catch (error) {
				if (!this.continueOnFail()) throw error;
				output.push({ json: {}, error, pairedItem: itemIndex });
			}
		}
		return [output];
	}
};
