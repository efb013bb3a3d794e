import vine from '@vinejs/vine'
import { emailAddress, oneOf, text, trimmedText } from '#foundation/api/operation/input'
import { userActions } from '../vocabulary.js'

const MAX_MEMBERS = 500
const MAX_GROUPS = 200

const name = () => trimmedText(100)
const actionList = () => vine.array(oneOf(userActions)).maxLength(userActions.length)
const emails = () => vine.array(emailAddress()).maxLength(MAX_MEMBERS).nullable().optional()

export const createGroupBody = vine.create({
  name: name(),
  userActions: actionList(),
  userEmails: emails(),
})

export const updateGroupBody = vine.create({
  name: name().optional(),
  userActions: actionList().optional(),
  userEmails: emails(),
})

const groupIds = () => vine.array(text(64)).maxLength(MAX_GROUPS)

/** A list of users, or one; an unknown address is an error of its own user only. */
export const userGroupsBody = vine.create({
  users: vine
    .array(vine.object({ email: text(320), groupIds: groupIds() }))
    .minLength(1)
    .maxLength(500)
    .optional(),
  email: text(320).optional(),
  groupIds: groupIds().optional(),
})
