import { Type, type Static } from '@sinclair/typebox'
import {
  count,
  email,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  url,
  words,
} from '#foundation/core/schemas'
import { userActions } from './vocabulary.js'

export const OrgEntity = entity('OrgEntity', 'The tenant: everything belongs to one.', {
  id: id('Id of the organization.'),
  name: nonEmpty('Name of the organization.', 200),
  iconUrl: nullable(url('Address of its icon; null where it has none.')),
  createdAt: instant('When it was made, in UTC.'),
  roleBasedAccessEnabled: flag(
    'Whether people named in a call must hold the user action through a group; keys always must.'
  ),
  addNewUsersToAllApps: flag('Whether a new user becomes a user of every app.'),
  appCount: count('How many apps it has.'),
  userCount: count('How many users it has.'),
})
export type OrgEntity = Static<typeof OrgEntity>

export const UserGroup = entity('UserGroup', 'A group in its short form.', {
  id: id('Id of the group.'),
  name: nonEmpty('Name of the group.', 100),
})
export type UserGroup = Static<typeof UserGroup>

/** The members of a person, wherever one appears. */
export const personMembers = {
  id: id('Id of the user.'),
  email: email('E-mail address of the user, in lower case.'),
  name: nullable(text('Full name; null while the user has none.', 200)),
}

export const GroupEntity = entity('GroupEntity', 'Users with the user actions they hold.', {
  id: id('Id of the group.'),
  name: nonEmpty('Name, unique in the organization without regard to case.', 100),
  isDefault: flag('Whether it is one of the ten default groups, which cannot change.'),
  userActions: list(
    'What its members, and the keys scoped to it, may do.',
    words(userActions, 'A user action of the group.'),
    userActions.length
  ),
  members: list('The users in the group.', object('A user in the group.', personMembers), 100_000),
  createdAt: instant('When it was made, in UTC.'),
  updatedAt: instant('When its name, actions or members last changed, in UTC.'),
})
export type GroupEntity = Static<typeof GroupEntity>

const groups = (description: string) => list(description, UserGroup, 10_000)

export const UserGroupsForUserPutResponse = entity(
  'UserGroupsForUserPutResponse',
  'What became of the groups of one user.',
  {
    email: text('E-mail address as the request gave it.', 320),
    userId: Type.Optional(id('Id of the user; absent when the address is unknown.')),
    groups: groups('The custom groups of the user by now.'),
    added: groups('Groups the user was not in before.'),
    removed: groups('Groups the user is no longer in.'),
    error: Type.Optional(text('Why the user was left as before, for people.', 1000)),
    code: Type.Optional(nonEmpty('Stable code of the error.', 64)),
  }
)
export type UserGroupsForUserPutResponse = Static<typeof UserGroupsForUserPutResponse>

export const UserGroupsForUsersSummary = entity(
  'UserGroupsForUsersSummary',
  'How many users of a request were changed.',
  {
    total: count('Users of the request.'),
    updated: count('Users whose groups changed.'),
    unchanged: count('Users who were in these groups already.'),
    failed: count('Users who carry an error.'),
  }
)

export const UserGroupsForUsersPutResponse = entity(
  'UserGroupsForUsersPutResponse',
  'What became of each user of a request.',
  {
    users: list(
      'One entry per user, in the order of the request.',
      UserGroupsForUserPutResponse,
      500
    ),
    summary: UserGroupsForUsersSummary,
  }
)
export type UserGroupsForUsersPutResponse = Static<typeof UserGroupsForUsersPutResponse>
