import { test } from '@japa/runner'
import { registerProviderConformance } from '@tarmac/plugin-kit/testing'
import { JiraFake } from '../fake/jira_fake.js'
import plugin from '../plugin.js'
import { live } from './support/live.js'
import { byGrant, byToken, options } from './support/stage.js'

registerProviderConformance({
  test,
  ...options,
  credentials: byToken,
  ...live,
  output: new URL('../conformance.json', import.meta.url),
})

// The same by OAuth 2, whose refresh tokens are good once.
registerProviderConformance({
  test,
  plugin,
  fake: () => new JiraFake(),
  settings: options.settings,
  data: options.data,
  credentials: byGrant,
  live: false,
})
