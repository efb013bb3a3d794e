import type { Ref } from '@tarmac/plugin-kit'
import { within } from './join.js'
import type { Slack } from './slack.js'

/** The type of the metadata that is stored with a message. */
export const MESSAGE_TYPE = 'tarmac_message'

/** Commands are never repeated this long after their first attempt, in milliseconds. */
const REPEATED_WITHIN = 24 * 3_600_000
const PAGE = 200
const MAX_PAGES = 5

interface Message {
  ts?: string
  metadata?: { event_type?: string; event_payload?: object }
}

interface Place {
  channel: string
  threadOf?: string
  key: string
}

/**
 * Returns the message that was posted with a key; null for none.
 * @throws ProviderError
 */
export async function postedWith(slack: Slack, place: Place, now: Date): Promise<Ref | null> {
  const oldest = String((now.getTime() - REPEATED_WITHIN) / 1000)
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { messages, next } = await within(slack, place.channel, () =>
      pageOf(slack, place, oldest, cursor)
    )
    const found = messages.find((each) => keyOf(each) === place.key)
    if (found?.ts !== undefined) return { id: found.ts }
    if (!next) return null
    cursor = next
  }
  return null
}

/** Channels list the newest messages first, threads the oldest. */
async function pageOf(
  slack: Slack,
  { channel, threadOf }: Place,
  oldest: string,
  cursor: string | undefined
): Promise<{ messages: readonly Message[]; next: string | undefined }> {
  const asked = {
    ...{ channel, oldest, limit: PAGE, include_all_metadata: true },
    ...(cursor !== undefined && { cursor }),
  }
  const { messages = [], response_metadata: metadata } = await slack.call((client) =>
    threadOf === undefined
      ? client.conversations.history(asked)
      : client.conversations.replies({ ...asked, ts: threadOf })
  )
  return { messages: messages as readonly Message[], next: metadata?.next_cursor }
}

function keyOf({ metadata }: Message): unknown {
  if (metadata?.event_type !== MESSAGE_TYPE) return undefined
  return (metadata.event_payload as { key?: unknown } | undefined)?.key
}
