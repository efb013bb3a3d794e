import { later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { addedToHistory } from '../lines.js'
import { livingMessages, newMessage, planCall, storeMessages, type Message } from '../messages.js'
import type { Line } from '../tables.js'

/*
 * The living message of a release in a channel: one that is edited as the release moves, with its
 * history in the thread below.
 */

/** Time that it waits for more to happen, and least time between two calls about it. */
const PACE = 5 * SECOND

/** Begins the thing of a living message. */
export const LIVING = 'living '

export const isLiving = ({ thing }: Pick<Message, 'thing'>): boolean => thing.startsWith(LIVING)

/** Events of a release, by channel: the lines for its history. */
export interface Happened {
  appId: string
  releaseId: string
  /** Channels that have its living message, even if they get no line of it. */
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
  const there = await livingMessages(scope, appId, `${LIVING}${releaseId}`)
  const changed: Message[] = []
  const about = {
    ...{ appId, releaseId },
    ...{ type: 'release.created' as const, thing: `${LIVING}${releaseId}` },
  }
  for (const [channel, lines] of byChannel) {
    const known = there.find((each) => each.channel === channel)
    // A release that has one has it in each of its channels, in one that was just made too.
    if (there.length === 0 && lines.length === 0) continue
    changed.push(
      touched(known ?? newMessage({ ...about, channel }, scope.now), {
        ...{ lines, integrationId, now: scope.now },
      })
    )
  }
  await storeMessages(scope, changed)
  for (const message of changed) await planEdit(scope, message)
}

interface Touch {
  lines: readonly Line[]
  integrationId: string
  now: Instant
}

/** A chat of another integration knows nothing of the message: it gets one of its own. */
function touched(message: Message, { lines, integrationId, now }: Touch): Message {
  const { messageId, notified, revision, updatedAt } = message
  const isElsewhere = messageId !== null && message.integrationId !== integrationId
  return {
    ...message,
    ...(isElsewhere && { messageId: null, postedAt: null, notifiedAt: null }),
    lines: addedToHistory(message.lines, lines),
    revision: revision + 1,
    // An update that waits already is not put off.
    updatedAt: notified < revision ? updatedAt : now,
  }
}

/** A burst is one call, no later than the first of it would have been. */
function planEdit(scope: Scope, message: Message): Promise<void> {
  const { updatedAt, notifiedAt } = message
  const since = notifiedAt !== null && notifiedAt > updatedAt ? notifiedAt : updatedAt
  return planCall(scope, message, later(since, PACE))
}
