import type { PluginAssumption } from '@tarmac/plugin-kit/testing'

/** What other apps report, and Slack does not describe. Only a message would show it. */
export const assumptions: readonly PluginAssumption[] = [
  {
    kind: 'chat',
    title: 'a reply to a deleted message is posted in the channel, without thread_ts in the answer',
    holds: async () => false,
  },
]
