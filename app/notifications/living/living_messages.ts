import { later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { addedToHistory } from '../lines.js'
import { livingMessages, newMessage, planCall, storeMessages, type Message } from '../messages.js'
import type { Line } from '../tables.js'

/*
 * The living message of a release in a channel. It is edited as the release moves; its thread holds
 * the history.
 */

/** Time that an update waits for further events, and minimum time between two calls. */
const DEBOUNCE = 5 * SECOND

/** The prefix of `thing` of a living message. */
export const LIVING = 'living '

export const isLiving = ({ thing }: Pick<Message, 'thing'>): boolean => thing.startsWith(LIVING)

/** Events of a release, by channel: the lines for its history. */
export interface Happened {
  appId: string
  releaseId: string
  /** All channels that have its living message; the list of lines may be empty. */
  lines: ReadonlyMap<string, readonly Line[]>
}

/**
 * Plans updates of the living messages of a release and additions to their histories. The first
 * event of a release creates the message.
 */
export async function followRelease(
  scope: Scope,
  integrationId: string,
  { appId, releaseId, lines: byChannel }: Happened
): Promise<void> {
  const existing = await livingMessages(scope, appId, `${LIVING}${releaseId}`)
  const changed: Message[] = []
  const about = {
    appId,
    releaseId,
    type: 'release.created' as const,
    thing: `${LIVING}${releaseId}`,
  }
  for (const [channel, lines] of byChannel) {
    const current = existing.find((each) => each.channel === channel)
    // Once a release has a living message, all of its channels get it, even without lines.
    if (existing.length === 0 && lines.length === 0) continue
    const message = current ?? newMessage({ ...about, channel }, scope.now)
    changed.push(updated(message, { lines, integrationId, now: scope.now }))
  }
  await storeMessages(scope, changed)
  for (const message of changed) await planEdit(scope, message)
}

interface Update {
  lines: readonly Line[]
  integrationId: string
  now: Instant
}

/** Starts a new message if another integration posted the current one in its own chat. */
function updated(message: Message, { lines, integrationId, now }: Update): Message {
  const { messageId, notified, revision, updatedAt } = message
  const isElsewhere = messageId !== null && message.integrationId !== integrationId
  return {
    ...message,
    ...(isElsewhere && { messageId: null, postedAt: null, notifiedAt: null }),
    lines: addedToHistory(message.lines, lines),
    revision: revision + 1,
    // A pending update is not postponed.
    updatedAt: notified < revision ? updatedAt : now,
  }
}

/** Plans one call for a burst of updates, at the time when the first is due. */
function planEdit(scope: Scope, message: Message): Promise<void> {
  const { updatedAt, notifiedAt } = message
  const since = notifiedAt !== null && notifiedAt > updatedAt ? notifiedAt : updatedAt
  return planCall(scope, message, later(since, DEBOUNCE))
}
