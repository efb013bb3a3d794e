import vine from '@vinejs/vine'
import {
  boolean,
  dateTime,
  integer,
  says,
  text,
  trimmedText,
} from '#foundation/api/operation/input'

const MOST_GROUPS = 200
const MOST_APPS = 1000
const MOST_HOURS = 30 * 24

const end = () =>
  dateTime()
    .use(says('When the key expires; null for never, a year from now if absent.'))
    .nullable()
    .optional()

export const createKeyBody = vine.create({
  name: trimmedText(100),
  admin: boolean().use(says('Whether the key has all rights in the organization.')).optional(),
  groupIds: vine
    .array(text(64).use(says('Id of a group.')))
    .maxLength(MOST_GROUPS)
    .distinct()
    .use(says('Groups whose user actions the key has; without any, it is read-only.'))
    .optional(),
  appIds: vine
    .array(text(64).use(says('Id of an app.')))
    .minLength(1)
    .maxLength(MOST_APPS)
    .distinct()
    .use(says('The only apps that the key can access; null or absent for all.'))
    .nullable()
    .optional(),
  expiresAt: end(),
})

export const rotateKeyBody = vine.create({
  overlapHours: integer(0, MOST_HOURS)
    .use(says('Hours for which the previous key works beside the new one; 24 if absent.'))
    .optional(),
  expiresAt: end(),
})
