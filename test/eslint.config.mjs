import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const unused = [
	'error',
	{
		argsIgnorePattern: '^_',
		destructuredArrayIgnorePattern: '^_',
		varsIgnorePattern: '^_$',
		ignoreRestSiblings: true,
	},
];

/** Rules for tests and scripts, which n8n's own rules for shipped code leave alone. */
export default tseslint.config(
	{ ignores: ['.build/', 'dist/', 'nodes/', 'credentials/'] },
	{
		files: ['**/*.cts'],
		extends: [js.configs.recommended, ...tseslint.configs.recommended],
		rules: {
			'@typescript-eslint/no-unused-vars': unused,
			// Modules are loaded when a test says so, such as those of the built package.
			'@typescript-eslint/no-require-imports': 'off',
		},
	},
	{
		files: ['**/*.{mjs,cjs,js}'],
		extends: [js.configs.recommended],
		rules: {
			'no-unused-vars': unused,
			// Types say what is global to tests; scripts are in Node.
			'no-undef': 'off',
		},
	},
);
