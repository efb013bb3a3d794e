import { test } from '@japa/runner'
import { registerProviderConformance } from '#plugin-kit/conformance/register'
import plugin from '../provider/plugin.js'
import { WorldFake } from './world_fake.js'

registerProviderConformance({
  test: test as never,
  plugin,
  fake: () => new WorldFake(),
  credentials: {
    good: { token: 'good-token' },
    bad: { token: 'bad-token' },
    other: { token: 'other-token' },
  },
  data: { ci: { workflowId: 'release' } },
})
