import { configApp } from '@adonisjs/eslint-config'

export default configApp(
  {
    ignores: [
      ...['.adonisjs/**', 'storage/**', 'tmp/**', 'docs/.vitepress/dist/**'],
      ...['**/build/**', '**/generated/**'],
    ],
  },
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@unicorn/no-await-expression-member': 'off',
      // `npm run format` asks Prettier itself, which takes less.
      'prettier/prettier': 'off',
    },
  },
  {
    // An answer under test is whatever the service sent.
    files: ['tests/**/*.ts', '**/tests/**/*.ts'],
    rules: { '@typescript-eslint/no-explicit-any': 'off' },
  }
)
