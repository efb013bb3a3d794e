import { test } from '@japa/runner'
import { registerProviderConformance } from '@tarmac/plugin-kit/testing'
import { options } from './support/options.js'

registerProviderConformance({
  test,
  ...options,
  output: new URL('../conformance.json', import.meta.url),
})
