import { hasCode, type Slack } from './slack.js'

/** Joins a public channel; whoever is in it stays in it. @throws ProviderError */
export async function joined(slack: Slack, channel: string): Promise<void> {
  await slack.call((client) => client.conversations.join({ channel }))
}

/**
 * Does something in a channel, and joins it first where only that is missing: Slack lets an app
 * read no channel that it is not in.
 * @throws ProviderError
 */
export async function within<Answer>(
  slack: Slack,
  channel: string,
  work: () => Promise<Answer>
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!hasCode(error, 'not_in_channel')) throw error
    await joined(slack, channel)
    return work()
  }
}
