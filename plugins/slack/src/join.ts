import { hasCode, type Slack } from './slack.js'

/** Joins a public channel; no error if the bot is already in it. @throws ProviderError */
export async function joined(slack: Slack, channel: string): Promise<void> {
  await slack.call((client) => client.conversations.join({ channel }))
}

/**
 * Runs work in a channel, and joins the channel first if only that is missing: an app can read only
 * channels that it is in, and a person may have removed it.
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
