import { Type, type Static } from '@sinclair/typebox'
import {
  ActorEntity,
  count,
  described,
  email,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  text,
  url,
  words,
} from '#foundation/core/schemas'
import { keyStatuses, userActions, userStatuses } from './vocabulary.js'

export const OrgEntity = entity('OrgEntity', 'The tenant: everything belongs to one.', {
  id: id('Id of the organization.'),
  name: nonEmpty('Name of the organization.', 200),
  iconUrl: nullable(url('Address of its icon; null if it has none.')),
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

/** The members of every entity about a person. */
export const personMembers = {
  id: id('Id of the user.'),
  email: email('E-mail address of the user, in lower case.'),
  name: nullable(text('Full name; null while the user has none.', 200)),
}

export const Person = entity('Person', 'A user, as others name them.', personMembers)

export const GroupEntity = entity('GroupEntity', 'Users with the user actions they hold.', {
  id: id('Id of the group.'),
  name: nonEmpty('Name, unique in the organization without regard to case.', 100),
  isDefault: flag('Whether it is one of the ten default groups, which cannot change.'),
  userActions: list(
    'What its members, and the keys scoped to it, may do.',
    words(userActions, 'A user action of the group.'),
    userActions.length
  ),
  members: list('The users in the group.', described('A user in the group.', Person), 100_000),
  createdAt: instant('When it was made, in UTC.'),
  updatedAt: instant('When its name, actions or members last changed, in UTC.'),
})
export type GroupEntity = Static<typeof GroupEntity>

export const groups = (description: string) => list(description, UserGroup, 10_000)

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

const keyMembers = {
  id: id('Id of the key, which is part of the key itself.'),
  prefix: nonEmpty(
    'What the key begins with, by which it is recognized: `tarmac_` and its id.',
    32
  ),
  name: nonEmpty('What the key is for.', 100),
  status: words(keyStatuses),
  admin: flag('Whether it may do everything in the organization.'),
  groups: groups('The groups whose user actions it has, by name.'),
  appRestricted: flag('Whether it sees only the apps of `appIds`.'),
  appIds: list('The apps that a restricted key sees.', id('Id of an app.'), 1000),
  createdAt: instant('When it was made, in UTC.'),
  madeBy: nullable(
    described('Who made it; null for one that was made before this was noted.', ActorEntity)
  ),
  expiresAt: nullable(instant('When it expires, in UTC; null while it never does.')),
  revokedAt: nullable(instant('When it was ended, in UTC; null while it was not.')),
  lastUsedAt: nullable(
    instant('When it was last used, in UTC, to the minute; null while it never was.')
  ),
  unusedSince: nullable(
    instant(
      'Since when a key that works was not used, in UTC; null if that is less than 90 days ago.'
    )
  ),
  rotatedFrom: nullable(id('Id of the key that it replaces; null if it replaces none.')),
  person: nullable(
    described(
      'The person it acts as, with their rights; null for a key with rights of its own.',
      Person
    )
  ),
  warning: nullable(
    text('What of its settings has no effect, in words; null if all of them do.', 500)
  ),
}

export const ApiKeyEntity = entity(
  'ApiKeyEntity',
  'An API key, without the key itself.',
  keyMembers
)
export type ApiKeyEntity = Static<typeof ApiKeyEntity>

export const secretKey = Type.String({
  description: 'The key, for the header `X-API-Key`; shown this once.',
  pattern: '^tarmac_[0-9A-Za-z]{50}$',
})

export const ApiKeyWithSecret = entity('ApiKeyWithSecret', 'A new API key, with the key itself.', {
  ...keyMembers,
  key: secretKey,
})
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>

export const RotatedApiKey = entity('RotatedApiKey', 'A key that takes the place of another one.', {
  ...keyMembers,
  key: secretKey,
  previousExpiresAt: instant('When the former key expires, in UTC.'),
})
export type RotatedApiKey = Static<typeof RotatedApiKey>

export const UserEntity = entity('UserEntity', 'A person of the organization.', {
  ...personMembers,
  status: words(userStatuses),
  admin: flag('Whether the person may do everything in the organization.'),
  groups: groups('The groups that the person is in, by name.'),
  createdAt: instant('When the person was added, in UTC.'),
  deactivatedAt: nullable(
    instant('Since when the person has no rights, in UTC; null while they have them.')
  ),
})
export type UserEntity = Static<typeof UserEntity>
