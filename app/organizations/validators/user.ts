import vine from '@vinejs/vine'
import { pageInput } from '#foundation/api/pages'
import {
  boolean,
  emailAddress,
  oneOf,
  describedAs,
  text,
  trimmedText,
} from '#foundation/api/operation/input'
import { userStatuses } from '../vocabulary.js'

const MAX_GROUPS = 200

const name = () => trimmedText(200).nullable().optional()
const groupIds = (description: string) =>
  vine
    .array(text(64).use(describedAs('Id of a group.')))
    .maxLength(MAX_GROUPS)
    .distinct()
    .use(describedAs(description))
    .optional()
const admin = () => boolean().optional()

export const createUserBody = vine.create({
  email: emailAddress(),
  name: name(),
  groupIds: groupIds('Groups that the person joins; none if absent.'),
  admin: admin(),
})

export const updateUserBody = vine.create({
  name: name(),
  groupIds: groupIds('All groups that the person is to be in.'),
  admin: admin(),
})

export const listUsersQuery = vine.create({
  ...pageInput,
  status: oneOf(userStatuses).use(describedAs('Only people with this status.')).optional(),
})
