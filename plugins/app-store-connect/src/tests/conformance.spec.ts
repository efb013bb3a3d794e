import { test } from '@japa/runner'
import { registerProviderConformance } from '@tarmac/plugin-kit/testing'
import plugin from '../plugin.js'
import { contractOfApple } from './support/contract.js'
import { credentials, data, makeFake, personal } from './support/keys.js'

registerProviderConformance({
  test,
  plugin,
  fake: makeFake,
  credentials,
  data,
  contract: async () => ({ default: contractOfApple() }),
  output: new URL('../conformance.json', import.meta.url),
})

// The same with the key of a person, and an integration that names the app's number.
registerProviderConformance({
  test,
  plugin,
  fake: makeFake,
  credentials: { ...credentials, good: personal },
  data: {
    appStore: { ...data.appStore, 'x-apple-id': '1234567890' },
    betaTesting: { ...data.betaTesting, 'x-apple-id': '1234567890' },
  },
  live: false,
})
