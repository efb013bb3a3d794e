import type { GroupEntity, UserEntity } from '#organizations/entities'
import { addresses, addressOf } from '../addresses.js'
import { isTicked, linesIn, listIn, textOf } from '../frame/fields.js'
import { form, type Fields } from '../frame/page.js'
import {
  deactivatePage,
  deleteGroupPage,
  groupPage,
  linkPage,
  newGroupPage,
  newPersonPage,
  personPage,
} from './page.js'
import { nameOf } from './people.view.js'

type Params = Record<string, string>

const ofOrg = ({ orgId }: Params) => ({ orgId })
const ofUser = ({ orgId, userId }: Params) => ({ orgId, userId })
const ofGroup = ({ orgId, groupId }: Params) => ({ orgId, groupId })

/** Reads a person from the fields of both forms. Only admins see the checkbox for admin rights. */
const personIn = (fields: Fields) => ({
  name: textOf(fields, 'name'),
  groupIds: listIn(fields, 'groupIds'),
  ...(textOf(fields, 'mayAdmin') !== null && { admin: isTicked(fields, 'admin') }),
})

/** Adds a person. */
export const newPersonForm = form({
  path: addresses.people,
  operation: 'createUser',
  makes: true,
  request: ({ params, fields }) => ({
    params: ofOrg(params),
    body: { email: textOf(fields, 'email') ?? '', ...personIn(fields) },
  }),
  shownOn: { page: newPersonPage },
  done({ params, answer }) {
    const user = answer as UserEntity
    return {
      to: addressOf(addresses.person, { ...ofOrg(params), userId: user.id }),
      said: `Added ${nameOf(user)}. They sign in with a sign-in link.`,
    }
  },
})

/** Changes a person. */
export const personForm = form({
  path: addresses.person,
  operation: 'updateUser',
  request: ({ params, fields }) => ({ params: ofUser(params), body: personIn(fields) }),
  shownOn: { page: personPage, params: ofUser },
  done: ({ answer }) => ({ said: `Changed ${nameOf(answer as UserEntity)}.` }),
})

/** Creates a sign-in link, and shows it once. */
export const linkForm = form({
  path: addresses.signInLink,
  operation: 'createSignInLink',
  makes: true,
  request: ({ params }) => ({ params: ofUser(params) }),
  shownOn: { page: personPage, params: ofUser },
  shows: linkPage,
})

/** Ends all sessions of a person. */
export const signOutForm = form({
  path: addresses.signPersonOut,
  operation: 'endSignIn',
  request: ({ params }) => ({ params: ofUser(params), body: {} }),
  shownOn: { page: personPage, params: ofUser },
  done: () => ({ said: 'Signed out everywhere.' }),
})

/** Deactivates a person. */
export const deactivateForm = form({
  path: addresses.deactivatePerson,
  operation: 'deactivateUser',
  request: ({ params }) => ({ params: ofUser(params) }),
  shownOn: { page: deactivatePage, params: ofUser },
  done: ({ params, answer }) => ({
    to: addressOf(addresses.person, params),
    said: `Deactivated ${nameOf(answer as UserEntity)}.`,
  }),
})

/** Activates a person again. */
export const activateForm = form({
  path: addresses.activatePerson,
  operation: 'activateUser',
  request: ({ params }) => ({ params: ofUser(params) }),
  shownOn: { page: personPage, params: ofUser },
  done: ({ answer }) => ({ said: `Activated ${nameOf(answer as UserEntity)}.` }),
})

const groupIn = (fields: Fields) => ({
  name: textOf(fields, 'name') ?? '',
  userActions: listIn(fields, 'userActions'),
  userEmails: linesIn(fields, 'userEmails'),
})

/** Creates a group. */
export const newGroupForm = form({
  path: addresses.groups,
  operation: 'createGroup',
  makes: true,
  request: ({ params, fields }) => ({ params: ofOrg(params), body: groupIn(fields) }),
  shownOn: { page: newGroupPage },
  done({ params, answer }) {
    const { id, name } = answer as GroupEntity
    return {
      to: addressOf(addresses.group, { ...ofOrg(params), groupId: id }),
      said: `Created ${name}.`,
    }
  },
})

/** Changes a group. */
export const groupForm = form({
  path: addresses.group,
  operation: 'updateGroup',
  request: ({ params, fields }) => ({ params: ofGroup(params), body: groupIn(fields) }),
  shownOn: { page: groupPage, params: ofGroup },
  done: ({ answer }) => ({ said: `Changed ${(answer as GroupEntity).name}.` }),
})

/** Deletes a group. */
export const deleteGroupForm = form({
  path: addresses.deleteGroup,
  operation: 'deleteGroup',
  request: ({ params }) => ({ params: ofGroup(params) }),
  shownOn: { page: deleteGroupPage, params: ofGroup },
  done: ({ params }) => ({
    to: addressOf(addresses.groups, params),
    said: 'Deleted the group.',
  }),
})
