import { change, of, select } from '#foundation/core/database/statement'
import { columnName, storedRow, type RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { newId } from '#foundation/core/ids'
import type { Instant } from '#foundation/core/clock'
import { notifyKind } from './work_kinds.js'
import { chatMessages } from './tables.js'
import { isNotificationType, type NotificationType } from './vocabulary.js'

/** The last message about a thing in a channel, posted or still to be posted. */
export type Message = Omit<RowOf<typeof chatMessages>, 'organizationId'>

/**
 * Returns the type at the start of the key of a line; undefined for a line stored without a type.
 */
export function typeOfLine({ key }: { key: string }): NotificationType | undefined {
  const [type] = key.split(' ', 1)
  return isNotificationType(type) ? type : undefined
}

const MEMBERS = Object.keys(chatMessages.columns).filter(
  (name) => name !== 'organizationId'
) as (keyof Message)[]
const COLUMNS = MEMBERS.map(columnName)

const SELECT_MESSAGES = select(
  of(chatMessages, 'm', MEMBERS),
  `from chat_messages m
  where m.organization_id = :org and m.app_id = :appId
    and (m.thing in json(:things) or m.message_id is null)`
)
const LIVING = select(
  of(chatMessages, 'm', MEMBERS),
  `from chat_messages m
  where m.organization_id = :org and m.app_id = :appId and m.thing = :thing`
)
const BY_ID = select(
  of(chatMessages, 'm', MEMBERS),
  'from chat_messages m where m.organization_id = :org and m.id = :id'
)
const STORE = change(
  `insert into chat_messages (organization_id, ${COLUMNS.join(', ')})
  values (:org, ${COLUMNS.map((name) => `:${name}`).join(', ')})
  on conflict (id) do update set
    ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}`
)

/** Returns the messages about things, and all messages of the app that are not posted yet. */
export function storedMessages(
  scope: Scope,
  appId: string,
  things: readonly string[]
): Promise<Message[]> {
  return scope.rows(SELECT_MESSAGES, { appId, things: JSON.stringify(things) })
}

/** Returns the living messages of a release, one for each channel that has one. */
export function livingMessages(scope: Scope, appId: string, thing: string): Promise<Message[]> {
  return scope.rows(LIVING, { appId, thing })
}

/** Returns a message; null if it is no longer stored. */
export async function messageById(scope: Scope, id: string): Promise<Message | null> {
  const [message] = await scope.rows(BY_ID, { id })
  return message ?? null
}

/** The caller holds the lock of the app, so what was read is current. */
export async function storeMessages(scope: Scope, messages: readonly Message[]): Promise<void> {
  for (const message of messages) await scope.change(STORE, storedRow(chatMessages, message))
}

/** Returns a message that is still to be posted. */
export const newMessage = (
  about: Pick<Message, 'appId' | 'releaseId' | 'channel' | 'type' | 'thing'>,
  now: Instant
): Message => ({
  ...about,
  id: newId('msg'),
  lines: [],
  revision: 0,
  notified: 0,
  integrationId: null,
  messageId: null,
  postedAt: null,
  notifiedAt: null,
  updatedAt: now,
})

/** Plans the next call about a message, in place of one that waits. */
export async function planCall(
  scope: Scope,
  { id, appId }: Pick<Message, 'id' | 'appId'>,
  at: Instant
): Promise<void> {
  await scope.jobs.cancel(notifyKind, id)
  await scope.jobs.command(notifyKind, {
    subject: id,
    at: at > scope.now ? at : scope.now,
    payload: { appId },
    entityKey: `chat:${id}`,
  })
}
