import { configApp } from '@adonisjs/eslint-config'

export default configApp({
  ignores: ['storage/**', 'tmp/**', 'build/**'],
  rules: {
    '@typescript-eslint/no-explicit-any': 'error',
  },
})
