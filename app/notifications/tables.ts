import type { Instant } from '#foundation/core/clock'
import { instant, integer, json, optional, table, text } from '#foundation/core/database/table'
import type { NotificationType } from './vocabulary.js'

/** An app's settings of a type; absent members have their defaults. */
export interface NotificationSetting {
  /** For reminders, planning decides: switched off, they are no event at all. */
  enabled?: boolean
  channelOverride?: string
}
export type NotificationSettings = Partial<Record<NotificationType, NotificationSetting>>

/** The reason why a channel could not be notified, and the time since when. */
export interface ChannelTrouble {
  channel: string
  since: Instant
  reason: string
}

/** An event, as a message shows it. */
export interface Line {
  /**
   * Distinguishes events of different parts of a subject; a later event replaces an earlier one
   * with the same key.
   */
  key: string
  what: string
  /** The actor; null for the service itself. */
  by: string | null
  /** The comment of the actor. */
  comment: string | null
  /**
   * E-mail addresses of whoever is called by it unless somebody is on call, or the pilot where
   * there are none; absent of what calls the pilot alone.
   */
  call?: string[]
  /** Id of the step config that it is about; absent of what concerns the whole release. */
  stepConfigId?: string
  /** The answer below a living message that holds it, from the first attempt on. */
  answer?: string
  /** It stands in the history below a living message. */
  notified?: true
}

export const appNotifications = table('app_notifications', {
  appId: text(),
  organizationId: text(),
  settings: json<NotificationSettings>(),
  troubles: json<ChannelTrouble[]>(),
})

/** Messages in chats: one for each thing and channel, the last one. */
export const chatMessages = table('chat_messages', {
  id: text(),
  organizationId: text(),
  appId: text(),
  releaseId: optional(text()),
  type: text<NotificationType>(),
  thing: text(),
  channel: text(),
  lines: json<Line[]>(),
  revision: integer(),
  notified: integer(),
  integrationId: optional(text()),
  messageId: optional(text()),
  postedAt: optional(instant()),
  notifiedAt: optional(instant()),
  updatedAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    app_notifications: typeof appNotifications
    chat_messages: typeof chatMessages
  }
}
