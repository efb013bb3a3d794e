import type { Instant } from '#foundation/core/clock'
import { instant, integer, json, optional, table, text } from '#foundation/core/database/table'
import type { NotificationType } from './vocabulary.js'

/** An app's settings of a type; absent members have their defaults. */
export interface NotificationSetting {
  /** Absent for reminders: planning stores whether there is a reminder at all. */
  enabled?: boolean
  channelOverride?: string
}
export type NotificationSettings = Partial<Record<NotificationType, NotificationSetting>>

/** A channel that cannot be notified: since when, and why. */
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
  /** E-mail addresses of the people whom it calls unless somebody is on call; absent: the pilot. */
  call?: string[]
  /** Id of the step config that it is about; absent if it is about the whole release. */
  stepConfigId?: string
  /** The answer below a living message that holds it; set before the first attempt to send it. */
  answer?: string
  /** The history below a living message has it. */
  notified?: true
}

export const appNotifications = table('app_notifications', {
  appId: text(),
  organizationId: text(),
  settings: json<NotificationSettings>(),
  troubles: json<ChannelTrouble[]>(),
})

/** Messages in chats: the last one for each thing and channel. */
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
