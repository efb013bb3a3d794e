import vine from '@vinejs/vine'
import {
  boolean,
  dateTime,
  integer,
  describedAs,
  text,
  trimmedText,
} from '#foundation/api/operation/input'

const MAX_GROUPS = 200
const MAX_APPS = 1000
const MAX_HOURS = 30 * 24

const end = () =>
  dateTime()
    .use(describedAs('When the key expires; null for never, a year from now if absent.'))
    .nullable()
    .optional()

export const createKeyBody = vine.create({
  name: trimmedText(100),
  admin: boolean()
    .use(describedAs('Whether the key has all rights in the organization.'))
    .optional(),
  groupIds: vine
    .array(text(64).use(describedAs('Id of a group.')))
    .maxLength(MAX_GROUPS)
    .distinct()
    .use(describedAs('Groups whose user actions the key has; without any, it is read-only.'))
    .optional(),
  appIds: vine
    .array(text(64).use(describedAs('Id of an app.')))
    .minLength(1)
    .maxLength(MAX_APPS)
    .distinct()
    .use(describedAs('The only apps that the key can access; null or absent for all.'))
    .nullable()
    .optional(),
  expiresAt: end(),
})

export const rotateKeyBody = vine.create({
  overlapHours: integer(0, MAX_HOURS)
    .use(describedAs('Hours for which the previous key works alongside the new one; 24 if absent.'))
    .optional(),
  expiresAt: end(),
})
