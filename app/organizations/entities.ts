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
  enumOf,
} from '#foundation/core/schemas'
import { keyStatuses, userActions, userStatuses } from './vocabulary.js'

export const OrgEntity = entity('OrgEntity', 'An organization: the tenant that owns all else.', {
  id: id('Id of the organization.'),
  name: nonEmpty('Name of the organization.', 200),
  iconUrl: nullable(url('URL of its icon; null if it has none.')),
  createdAt: instant('When it was created, in UTC.'),
  roleBasedAccessEnabled: flag(
    'Whether users named in a request need the user action through a group; keys always do.'
  ),
  addNewUsersToAllApps: flag('Whether new users become users of every app.'),
  appCount: count('Number of its apps.'),
  userCount: count('Number of its users.'),
})
export type OrgEntity = Static<typeof OrgEntity>

export const UserGroup = entity('UserGroup', 'A group, in short form.', {
  id: id('Id of the group.'),
  name: nonEmpty('Name of the group.', 100),
})
export type UserGroup = Static<typeof UserGroup>

/** The members of every entity about a person. */
export const personMembers = {
  id: id('Id of the user.'),
  email: email('E-mail address of the user, in lower case.'),
  name: nullable(text('Full name; null if the user has none.', 200)),
}

export const Person = entity('Person', 'A user, in short form.', personMembers)

export const GroupEntity = entity('GroupEntity', 'A group of users with its user actions.', {
  id: id('Id of the group.'),
  name: nonEmpty('Name, unique in the organization regardless of case.', 100),
  isDefault: flag('True for the ten default groups, which cannot be changed.'),
  userActions: list(
    'User actions of its members and of keys scoped to it.',
    enumOf(userActions, 'A user action of the group.'),
    userActions.length
  ),
  members: list('The users in the group.', described('A user in the group.', Person), 100_000),
  createdAt: instant('When it was created, in UTC.'),
  updatedAt: instant('When its name, actions or members last changed, in UTC.'),
})
export type GroupEntity = Static<typeof GroupEntity>

export const groups = (description: string) => list(description, UserGroup, 10_000)

export const UserGroupsForUserPutResponse = entity(
  'UserGroupsForUserPutResponse',
  'Result of the update for one user.',
  {
    email: text('E-mail address as given in the request.', 320),
    userId: Type.Optional(id('Id of the user; absent if the address is unknown.')),
    groups: groups('Custom groups of the user after the request.'),
    added: groups('Groups that the user was added to.'),
    removed: groups('Groups that the user was removed from.'),
    error: Type.Optional(text('Human-readable reason why the user was not changed.', 1000)),
    code: Type.Optional(nonEmpty('Stable code of the error.', 64)),
  }
)
export type UserGroupsForUserPutResponse = Static<typeof UserGroupsForUserPutResponse>

export const UserGroupsForUsersSummary = entity(
  'UserGroupsForUsersSummary',
  'Numbers of users in a request by result.',
  {
    total: count('Users in the request.'),
    updated: count('Users whose groups changed.'),
    unchanged: count('Users who were already in these groups.'),
    failed: count('Users with an error.'),
  }
)

export const UserGroupsForUsersPutResponse = entity(
  'UserGroupsForUsersPutResponse',
  'Results for each user in a request.',
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
  prefix: nonEmpty('First characters of the key, which identify it: `tarmac_` and its id.', 32),
  name: nonEmpty('Name or purpose of the key.', 100),
  status: enumOf(keyStatuses),
  admin: flag('Whether the key has all rights in the organization.'),
  groups: groups('Groups whose user actions the key has, by name.'),
  appRestricted: flag('Whether it can access only the apps in `appIds`.'),
  appIds: list('Apps that a restricted key can access.', id('Id of an app.'), 1000),
  createdAt: instant('When it was created, in UTC.'),
  madeBy: nullable(
    described('Creator of the key; null for a key older than this record.', ActorEntity)
  ),
  expiresAt: nullable(instant('When the key expires, in UTC; null if never.')),
  revokedAt: nullable(instant('When the key was revoked, in UTC; null if it was not.')),
  lastUsedAt: nullable(
    instant('When the key was last used, in UTC, to the minute; null if never.')
  ),
  unusedSince: nullable(
    instant('Since when an active key has not been used, in UTC; null if less than 90 days.')
  ),
  rotatedFrom: nullable(id('Id of the key that it replaces; null if it replaces none.')),
  person: nullable(
    described(
      'Person that the key acts as, with their rights; null for a key with its own rights.',
      Person
    )
  ),
  ofRun: flag('Whether a CI run got it for its token. Such a key cannot be rotated.'),
  warning: nullable(
    text('Human-readable note on settings without effect; null if all take effect.', 500)
  ),
}

export const ApiKeyEntity = entity(
  'ApiKeyEntity',
  'An API key, without the key itself.',
  keyMembers
)
export type ApiKeyEntity = Static<typeof ApiKeyEntity>

export const secretKey = Type.String({
  description: 'The key, for the header `X-API-Key`; shown only once.',
  pattern: '^tarmac_[0-9A-Za-z]{50}$',
})

export const ApiKeyWithSecret = entity('ApiKeyWithSecret', 'A new API key, with the key itself.', {
  ...keyMembers,
  key: secretKey,
})
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>

export const RotatedApiKey = entity('RotatedApiKey', 'A key that replaces another one.', {
  ...keyMembers,
  key: secretKey,
  previousExpiresAt: instant('When the previous key expires, in UTC.'),
})
export type RotatedApiKey = Static<typeof RotatedApiKey>

export const UserEntity = entity('UserEntity', 'A user of the organization.', {
  ...personMembers,
  status: enumOf(userStatuses),
  admin: flag('Whether the person has all rights in the organization.'),
  groups: groups('Groups of the person, by name.'),
  createdAt: instant('When the person was added, in UTC.'),
  deactivatedAt: nullable(
    instant('When the person was deactivated, in UTC; null if they are not.')
  ),
})
export type UserEntity = Static<typeof UserEntity>
