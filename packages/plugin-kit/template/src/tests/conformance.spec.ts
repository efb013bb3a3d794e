import { test } from '@japa/runner'
import { registerProviderConformance } from '#plugin-kit/testing'
import { AcmeFake } from '../fake/server.js'
import plugin from '../plugin.js'

registerProviderConformance({
  test,
  plugin,
  fake: () => new AcmeFake(),
  credentials: {
    good: { token: 'good-token' },
    bad: { token: 'bad-token' },
    readOnly: { token: 'read-only-token' },
    other: { token: 'other-token' },
  },
  data: { chat: { primaryChannelIds: ['C1'] } },
  contract: () => import('../contract.js'),
  output: new URL('../conformance.json', import.meta.url),
})
