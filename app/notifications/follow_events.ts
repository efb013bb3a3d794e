import { hasChat } from '#apps/queries/app_summary'
import { later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import type { EventSubscriber } from '#foundation/core/events/subscribers'
import type { EventDraft } from '#foundation/core/events/outbox'
import type { Scope } from '#foundation/core/scope'
import { releasePlan } from '#planning/plans/plans'
import { readReleaseById } from '#releases/queries/read_release'
import { retrospectiveOf } from '#releases/retrospective/retrospective'
import { retrospectiveText } from '#releases/retrospective/text'
import { chatOf, type Chat } from './queries/chat_of.js'
import { isNotified } from './settings.js'
import { addedLines, lineOf, SAYS_STATE, type Notified } from './lines.js'
import { followRelease, isLiving } from './living/living_messages.js'
import { newMessage, planCall, storeMessages, storedMessages, type Message } from './messages.js'
import type { Line } from './tables.js'
import {
  CALLS_THE_PILOT,
  isNotificationType,
  MAX_CHANNELS,
  RETROSPECTIVE,
  type NotificationType,
} from './vocabulary.js'

/**
 * The time after its first post in which a message is edited. Later events get a new message, which
 * people notice.
 */
export const MESSAGE_LIFE = 3_600 * SECOND
/** The minimum time between two calls about one message. */
export const QUIET = 30 * SECOND
/** The time that a new message waits for simultaneous events of its release. */
export const MOMENT = 5 * SECOND
/** Events stop joining a message this long before it is posted, as clocks of processes differ. */
const CLOSED = SECOND

/**
 * Plans notifications of events to the chats of apps, in the transaction of the event. Simultaneous
 * events of a release become one message per channel. Each message has one job, so a burst of
 * changes becomes one call.
 */
export const chatSubscriber: EventSubscriber = {
  async handle(scope, recorded) {
    const apps = new Set(
      recorded.flatMap(({ appId, releaseId, type }) =>
        appId !== undefined && (releaseId !== undefined || isNotificationType(type)) ? appId : []
      )
    )
    for (const appId of apps) {
      // Usually `hasChat` needs no query: the app has already been read with the release.
      const chat = (await hasChat(scope, appId)) ? await chatOf(scope, appId) : null
      if (!chat) continue
      const ofApp = recorded.filter((each) => each.appId === appId)
      const happened = [...ofApp, ...(await retrospectives(scope, chat, ofApp))]
      const wanted = happened.filter(
        (each): each is Notified =>
          isNotificationType(each.type) && isNotified(chat.settings, each.type)
      )
      const moved = chat.hasLiving ? happened : wanted
      const releaseChannels = await channelsOfReleases(scope, appId, chat, moved)
      const place = { appId, chat, releaseChannels }
      if (chat.hasLiving) await followReleases(scope, place, happened, wanted)
      if (wanted.length > 0) await notify(scope, place, wanted)
    }
  },
}

/** Plans an update of the living messages of a release that moved without an event of its own. */
export async function refreshLiving(
  scope: Scope,
  { id: releaseId, appId }: { id: string; appId: string }
): Promise<void> {
  const chat = (await hasChat(scope, appId)) ? await chatOf(scope, appId) : null
  if (!chat?.hasLiving) return
  const moved = [{ releaseId }]
  const releaseChannels = await channelsOfReleases(scope, appId, chat, moved)
  await followReleases(scope, { appId, chat, releaseChannels }, moved, [])
}

/** Returns the retrospectives of completed releases, as events to notify of. */
async function retrospectives(
  scope: Scope,
  { settings }: Chat,
  happened: readonly EventDraft[]
): Promise<Notified[]> {
  if (!isNotified(settings, RETROSPECTIVE)) return []
  const found: Notified[] = []
  for (const draft of happened) {
    const { appId, releaseId } = draft
    if (!isCompletion(draft) || appId === undefined || releaseId === undefined) continue
    const { release } = await readReleaseById(scope, appId, releaseId)
    const retrospective = await retrospectiveOf(scope, release)
    if (!retrospective) continue
    const title = retrospectiveText(retrospective)
    found.push({ ...draft, appId, type: RETROSPECTIVE, title })
  }
  return found
}

const isCompletion = ({ type, data }: EventDraft) =>
  type === 'release.updated' && (data?.status as { to?: string } | undefined)?.to === 'completed'

/** Returns whether an event has a message of its own, outside of any history. */
const standsAlone = ({ type }: { type: NotificationType }) => type === RETROSPECTIVE

/** The release that an event moved. */
type Moved = Pick<EventDraft, 'releaseId'>

/** The chat of an app, and the channels there that its releases have of their own. */
interface Place {
  appId: string
  chat: Chat
  releaseChannels: ReadonlyMap<string, string>
}

/** Updates the living messages of the releases that have events. */
async function followReleases(
  scope: Scope,
  place: Place,
  happened: readonly Moved[],
  wanted: readonly Notified[]
): Promise<void> {
  const { appId, chat } = place
  for (const releaseId of new Set(happened.flatMap((each) => each.releaseId ?? []))) {
    const notified = wanted.filter((each) => each.releaseId === releaseId && !standsAlone(each))
    const lines = livingChannels(place, releaseId).map((channel): [string, Line[]] => {
      const here = notified.filter(({ type }) =>
        channelsFor(place, releaseId, type).includes(channel)
      )
      return [channel, here.map((draft) => lineOf(scope, draft))]
    })
    await followRelease(scope, chat.id, { appId, releaseId, lines: new Map(lines) })
  }
}

/** Returns the channels that have the living message of a release. */
function livingChannels(
  { chat, releaseChannels }: Place,
  releaseId: string | undefined
): readonly string[] {
  if (!chat.hasLiving || releaseId === undefined) return []
  return channelsOf(chat, releaseChannels.get(releaseId), null)
}

const channelsFor = (
  { chat, releaseChannels }: Place,
  releaseId: string | undefined,
  type: NotificationType
) => channelsOf(chat, releaseChannels.get(releaseId ?? ''), type)

/** Notifies of events in channels without a living message that would have them in its history. */
async function notify(scope: Scope, place: Place, drafts: readonly Notified[]) {
  const { appId, chat } = place
  const moments = momentsOf(drafts, ({ releaseId, type }) => {
    const living = standsAlone({ type }) ? [] : livingChannels(place, releaseId)
    return channelsFor(place, releaseId, type).filter((each) => !living.includes(each))
  })
  if (moments.length === 0) return
  const before = await storedMessages(scope, appId, [
    ...new Set(moments.map(({ notified }) => thingOf(leading(notified)))),
  ])
  const messages = moments.map(({ channel, notified }) => {
    const first = leading(notified)
    const thing = thingOf(first)
    const inChannel = before.filter((each) => each.channel === channel)
    const waiting = inChannel.find((each) => isWaiting(each, first, scope.now))
    const known = waiting ?? inChannel.find((each) => each.thing === thing)
    const lines = notified.map((draft) => lineOf(scope, draft))
    const calls = lines.some(({ call }) => call)
    const message = known
      ? {
          ...(waiting ?? continued(known, chat.id, scope.now, calls)),
          type: typeAfter(known, first),
        }
      : newMessage(
          { appId, releaseId: first.releaseId ?? null, type: first.type, thing, channel },
          scope.now
        )
    return { ...message, lines: addedLines(message.lines, lines), revision: message.revision + 1 }
  })
  await storeMessages(scope, messages)
  for (const message of messages) await planNotice(scope, message)
}

interface Moment {
  channel: string
  notified: Notified[]
}

/** Groups events by channel and release; those that stand alone, by channel and subject. */
function momentsOf(
  drafts: readonly Notified[],
  channelsIn: (draft: Notified) => readonly string[]
): Moment[] {
  const moments = new Map<string, Moment>()
  for (const draft of drafts) {
    for (const channel of channelsIn(draft)) {
      const isAlone = standsAlone(draft) || draft.releaseId === undefined
      const key = `${channel} ${isAlone ? thingOf(draft) : draft.releaseId}`
      const moment = moments.get(key) ?? { channel, notified: [] }
      moment.notified.push(draft)
      moments.set(key, moment)
    }
  }
  return [...moments.values()]
}

const thingOf = ({ entityKey, type }: Notified) => `${entityKey}:${type}`

/** Returns the leading event of a moment: one that requires action, or else the most informative. */
const leading = (notified: readonly Notified[]): Notified =>
  notified.find(({ type }) => CALLS_THE_PILOT.has(type)) ??
  notified.find(({ type }) => SAYS_STATE.has(type)) ??
  notified[0]

/** Returns whether a message is still to be posted, so that an event of its release can join it. */
const isWaiting = (message: Message, draft: Notified, now: Instant) =>
  message.messageId === null && !isLiving(message) && joins(message, draft, now)

const joins = ({ updatedAt, releaseId, type }: Message, draft: Notified, now: Instant) =>
  !standsAlone({ type }) &&
  !standsAlone(draft) &&
  releaseId !== null &&
  releaseId === draft.releaseId &&
  later(updatedAt, MOMENT - CLOSED) >= now

/** A message takes the type of an event that calls the pilot. */
const typeAfter = (message: Message, { type }: Notified) =>
  CALLS_THE_PILOT.has(type) ? type : message.type

/** Plans the next call: soon for a new message, after a quiet time for an edit. */
function planNotice(scope: Scope, message: Message): Promise<void> {
  const { updatedAt, notifiedAt, messageId } = message
  const isNew = notifiedAt === null || messageId === null
  return planCall(scope, message, isNew ? later(updatedAt, MOMENT) : later(notifiedAt, QUIET))
}

/** Returns the channels that were made for releases in a chat, by the releases' internal ids. */
async function channelsOfReleases(
  scope: Scope,
  appId: string,
  chat: Chat,
  moved: readonly Moved[]
): Promise<Map<string, string>> {
  const channels = new Map<string, string>()
  for (const id of new Set(moved.flatMap(({ releaseId }) => releaseId ?? []))) {
    const { channel } = await releasePlan(scope, { id, appId })
    if (channel?.integrationId === chat.id) channels.set(id, channel.id)
  }
  return channels
}

/** Returns the channel set for a type, or else those of the app, and the channel of the release. */
function channelsOf(
  { channels, settings }: Chat,
  own: string | undefined,
  type: NotificationType | null
): readonly string[] {
  const override = type === null ? undefined : settings[type]?.channelOverride
  const common = override === undefined ? channels.slice(0, MAX_CHANNELS) : [override]
  return own === undefined || common.includes(own) ? common : [...common, own]
}

/**
 * Continues a message, or begins the next one. An edit alerts nobody; an event that calls people
 * gets a new message.
 */
function continued(
  message: Message,
  integrationId: string,
  now: Instant,
  callsPeople: boolean
): Message {
  const { postedAt, notified, revision } = message
  const isOver =
    postedAt !== null &&
    (message.integrationId !== integrationId ||
      later(postedAt, MESSAGE_LIFE) <= now ||
      (callsPeople && notified >= revision))
  const fresh = { lines: [], messageId: null, postedAt: null, notifiedAt: null }
  return { ...message, ...(isOver ? fresh : {}), updatedAt: now }
}
