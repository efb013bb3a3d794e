import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { boolean, integer, oneOf, describedAs, text } from '#foundation/api/operation/input'
import { MAX_LEAD_MINUTES } from '#planning/vocabulary'
import { MAX_CHANNEL, NOTIFICATION_TYPES } from './vocabulary.js'

export const setNotificationValidator = vine.create({
  type: oneOf(NOTIFICATION_TYPES).use(describedAs('Type of the notification.')),
  enabled: boolean().optional(),
  channelOverride: text(MAX_CHANNEL).nullable().optional(),
  leadTimeMinutes: integer(0, MAX_LEAD_MINUTES).use(describedAs('For reminders only.')).optional(),
})
export type SetNotificationInput = Infer<typeof setNotificationValidator>
