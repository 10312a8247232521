import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['dist/**'] },
  ...tseslint.configs.recommended,
  {
    languageOptions: { parserOptions: { project: ["tsconfig.json", "src/dashboard/tsconfig.json"], tsconfigRootDir: process.cwd() } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-depth': ['error', 3],
      'no-console': 'error'
    }
  },
  // The command line and the scripts speak to a person on purpose.
  { files: ['src/clients/**', 'test/**'], rules: { 'no-console': 'off' } },
  // chai's assertions are expressions.
  { files: ['test/**'], rules: { '@typescript-eslint/no-unused-expressions': 'off' } }
)
