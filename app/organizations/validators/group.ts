import vine from '@vinejs/vine'
import {
  emailAddress,
  oneOf,
  describedAs,
  text,
  trimmedText,
} from '#foundation/api/operation/input'
import { userActions } from '../vocabulary.js'

const MAX_MEMBERS = 500
const MAX_GROUPS = 200

const name = () => trimmedText(100)
const actionList = () => vine.array(oneOf(userActions)).maxLength(userActions.length)
const emails = () =>
  vine
    .array(emailAddress().use(describedAs('E-mail address of a user of the organization.')))
    .maxLength(MAX_MEMBERS)
    .use(describedAs('All members of the group; null removes them all, absent keeps them.'))
    .nullable()
    .optional()

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

const groupIds = () =>
  vine
    .array(text(64).use(describedAs('Id of a custom group.')))
    .maxLength(MAX_GROUPS)
    .use(describedAs('All custom groups that the user is to be in.'))
const email = () => text(320).use(describedAs('E-mail address of the user.'))

/** A list of users, or one. An unknown address is an error of that user only. */
export const userGroupsBody = vine.create({
  users: vine
    .array(
      vine
        .object({ email: email(), groupIds: groupIds() })
        .use(describedAs('A user and their groups.'))
    )
    .minLength(1)
    .maxLength(500)
    .use(describedAs('Users to change, instead of `email` and `groupIds`.'))
    .optional(),
  email: email().optional(),
  groupIds: groupIds().optional(),
})
