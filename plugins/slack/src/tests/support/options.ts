import type { ConformanceOptions } from '@tarmac/plugin-kit/testing'
import { SlackFake } from '../../fake/index.js'
import plugin from '../../plugin.js'
import { assumptions } from './assumptions.js'
import { contractOfSlack } from './contract.js'

/** The suite's options for the plugin. */
export const options = {
  plugin,
  fake: () => new SlackFake(),
  credentials: {
    good: { token: 'xoxb-good-token' },
    bad: { token: 'xoxb-bad-token' },
    readOnly: { token: 'xoxb-read-only' },
    other: { token: 'xoxb-other-token' },
  },
  data: { chat: { primaryChannelIds: ['C0RELEASES'] } },
  pressSecret: 'signingSecret',
  contract: async () => ({ default: await contractOfSlack() }),
  assumptions,
  // Every method is called by POST, so those that only read are listed.
  alsoReads: ({ path }) =>
    /\/(auth\.test|conversations\.(history|info|list|replies)|users\.(info|lookupByEmail))$/.test(
      path
    ),
} satisfies ConformanceOptions
