import { hasChat } from '#apps/queries/app_summary'
import { later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import type { EventFollower } from '#foundation/core/events/followers'
import type { EventDraft } from '#foundation/core/events/outbox'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { releasePlan } from '#planning/plans/plans'
import { chatOf, type Chat } from './queries/chat_of.js'
import { telling } from './kinds.js'
import { isTold } from './settings.js'
import { storeMessages, storedMessages, typeOfLine, type Message } from './messages.js'
import type { Line } from './tables.js'
import {
  CALLS_THE_PILOT,
  isNotificationType,
  MAX_CHANNELS,
  type NotificationType,
} from './vocabulary.js'

/**
 * How long one message covers its subject, from its first post: within it the message is edited,
 * after it a new one follows, which people notice.
 */
export const MESSAGE_LIFE = 3_600 * SECOND
/** Least time between two calls about one message, however often its thing changes. */
export const QUIET = 30 * SECOND
/** How long a new message waits for other events of its release at that moment. */
export const MOMENT = 5 * SECOND
/** So long before it is posted nothing joins it any more: clocks of processes differ. */
const CLOSED = SECOND
/** Most parts of a thing that a message speaks of: the latest. */
const MAX_LINES = 20
/** Most characters of what somebody said. */
const MAX_COMMENT = 500

type Told = EventDraft & { type: NotificationType; appId: string }

/**
 * Plans to tell the chats of apps what happened, in its transaction. What happened to a release at
 * once is one message in each channel. There is one for each thing (a release and a type, say); a
 * burst of changes becomes one call.
 */
export const chatFollower: EventFollower = {
  async follow(scope, recorded) {
    const told = recorded.filter(
      (each): each is Told => each.appId !== undefined && isNotificationType(each.type)
    )
    for (const appId of new Set(told.map((each) => each.appId))) {
      // Known from what was read of the release, mostly: a write without a chat asks nothing more.
      const chat = (await hasChat(scope, appId)) ? await chatOf(scope, appId) : null
      if (!chat) continue
      const wanted = told.filter((each) => each.appId === appId && isTold(chat.settings, each.type))
      if (wanted.length > 0) await tell(scope, appId, chat, wanted)
    }
  },
}

async function tell(scope: Scope, appId: string, chat: Chat, drafts: readonly Told[]) {
  const own = await channelsOfReleases(scope, appId, chat, drafts)
  const moments = momentsOf(drafts, ({ releaseId, type }) =>
    channelsOf(chat, own.get(releaseId ?? ''), type)
  )
  const before = await storedMessages(scope, appId, [
    ...new Set(moments.map(({ told }) => thingOf(leading(told)))),
  ])
  const messages = moments.map(({ channel, told }) => {
    const first = leading(told)
    const thing = thingOf(first)
    const there = before.filter((each) => each.channel === channel)
    const waiting = there.find((each) => isWaiting(each, first, scope.now))
    const known = waiting ?? there.find((each) => each.thing === thing)
    const lines = told.map((draft) => lineOf(scope, draft))
    const calls = lines.some(({ call }) => call)
    const message = known
      ? {
          ...(waiting ?? continued(known, chat.id, scope.now, calls)),
          type: callingOf(known, first),
        }
      : newMessage(appId, thing, channel, first, scope.now)
    return { ...message, lines: added(message.lines, lines), revision: message.revision + 1 }
  })
  await storeMessages(scope, messages)
  for (const message of messages) await planTelling(scope, message)
}

interface Moment {
  channel: string
  told: Told[]
}

/** Groups simultaneous events by release, or else by subject, by their channels. */
function momentsOf(
  drafts: readonly Told[],
  channelsFor: (draft: Told) => readonly string[]
): Moment[] {
  const moments = new Map<string, Moment>()
  for (const draft of drafts) {
    for (const channel of channelsFor(draft)) {
      const key = `${channel} ${draft.releaseId ?? thingOf(draft)}`
      const moment = moments.get(key) ?? { channel, told: [] }
      moment.told.push(draft)
      moments.set(key, moment)
    }
  }
  return [...moments.values()]
}

const thingOf = ({ entityKey, type }: Told) => `${entityKey}:${type}`

/**
 * Returns the leading event of a moment: one that requires action, or else the most informative.
 */
const leading = (told: readonly Told[]): Told =>
  told.find(({ type }) => CALLS_THE_PILOT.has(type)) ??
  told.find(({ type }) => SAYS_STATE.has(type)) ??
  told[0]

/**
 * Returns whether a message of the same release waits to be posted: later events are added to it.
 */
const isWaiting = ({ messageId, updatedAt, releaseId }: Message, draft: Told, now: Instant) =>
  messageId === null &&
  releaseId !== null &&
  releaseId === draft.releaseId &&
  later(updatedAt, MOMENT - CLOSED) >= now

const callingOf = (message: Message, { type }: Told) =>
  CALLS_THE_PILOT.has(type) ? type : message.type

/** Types that state the same as the release's state in the store. */
const SAYS_STATE: ReadonlySet<string | undefined> = new Set<NotificationType>([
  'release.submitted',
  'release.released',
])
const STATE: NotificationType = 'appStoreVersion.statusUpdated'

/** A message is told of after a moment, and again only after a while; what waits is replaced. */
async function planTelling(scope: Scope, { id, appId, updatedAt, toldAt, messageId }: Message) {
  const isNew = toldAt === null || messageId === null
  const quiet = isNew ? later(updatedAt, MOMENT) : later(toldAt, QUIET)
  await scope.agenda.cancel(telling, id)
  await scope.agenda.wish(telling, {
    subject: id,
    at: quiet > scope.now ? quiet : scope.now,
    payload: { appId },
    entityKey: `chat:${id}`,
  })
}

/** The channels that were made for releases in a chat, by internal id. */
async function channelsOfReleases(
  scope: Scope,
  appId: string,
  chat: Chat,
  drafts: readonly Told[]
): Promise<Map<string, string>> {
  const channels = new Map<string, string>()
  for (const id of new Set(drafts.flatMap(({ releaseId }) => releaseId ?? []))) {
    const { channel } = await releasePlan(scope, { id, appId })
    if (channel?.integrationId === chat.id) channels.set(id, channel.id)
  }
  return channels
}

/** Returns the channels of a type, and the channel of the release. */
function channelsOf(
  { channels, settings }: Chat,
  own: string | undefined,
  type: NotificationType
): readonly string[] {
  const override = settings[type]?.channelOverride
  const common = override === undefined ? channels.slice(0, MAX_CHANNELS) : [override]
  return own === undefined || common.includes(own) ? common : [...common, own]
}

function newMessage(
  appId: string,
  thing: string,
  channel: string,
  { releaseId, type }: Told,
  now: Instant
): Message {
  return {
    id: newId('msg'),
    appId,
    releaseId: releaseId ?? null,
    type,
    thing,
    channel,
    lines: [],
    revision: 0,
    told: 0,
    integrationId: null,
    messageId: null,
    postedAt: null,
    toldAt: null,
    updatedAt: now,
  }
}

/**
 * A message that goes on, or the begin of the next one. Nobody hears of what is edited: what calls
 * people is told anew.
 */
function continued(
  message: Message,
  integrationId: string,
  now: Instant,
  callsPeople: boolean
): Message {
  const { postedAt, told, revision } = message
  const isOver =
    postedAt !== null &&
    (message.integrationId !== integrationId ||
      later(postedAt, MESSAGE_LIFE) <= now ||
      (callsPeople && told >= revision))
  const fresh = { lines: [], messageId: null, postedAt: null, toldAt: null }
  return { ...message, ...(isOver ? fresh : {}), updatedAt: now }
}

function lineOf({ actor }: Scope, { type, title, stepConfigId, data }: Told): Line {
  const { checklistItemId, comment, call } = data ?? {}
  const part = typeof checklistItemId === 'string' ? checklistItemId : (stepConfigId ?? '')
  return {
    key: `${type} ${part}`,
    what: title,
    by: actor.type === 'user' || actor.type === 'apiKey' ? actor.name : null,
    comment: typeof comment === 'string' && comment.trim() !== '' ? clipped(comment) : null,
    ...(isCalling(call) && { call }),
    ...(stepConfigId !== undefined && { stepConfigId }),
  }
}

const isCalling = (call: unknown): call is string[] =>
  Array.isArray(call) && call.every((each) => typeof each === 'string')

function clipped(comment: string): string {
  const characters = [...comment]
  return characters.length <= MAX_COMMENT
    ? comment
    : `${characters.slice(0, MAX_COMMENT - 1).join('')}…`
}

/** Returns the last event of each part, in order and without repetitions. */
function added(before: readonly Line[], after: readonly Line[]): Line[] {
  const lines = [...before, ...after]
  const saysState = lines.some((line) => SAYS_STATE.has(typeOfLine(line)))
  const last = lines.filter(
    (line, index) =>
      !lines.slice(index + 1).some(({ key }) => key === line.key) &&
      !(saysState && typeOfLine(line) === STATE)
  )
  return last.slice(-MAX_LINES)
}
