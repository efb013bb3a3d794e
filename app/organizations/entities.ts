import { Type, type Static } from '@sinclair/typebox'
import { instant, named, nullable, words } from '#foundation/core/schemas'
import { userActions } from './vocabulary.js'

export const OrgEntity = named(
  'OrgEntity',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    iconUrl: nullable(Type.String()),
    createdAt: instant(),
    roleBasedAccessEnabled: Type.Boolean(),
    addNewUsersToAllApps: Type.Boolean(),
    appCount: Type.Integer({ minimum: 0 }),
    userCount: Type.Integer({ minimum: 0 }),
  })
)
export type OrgEntity = Static<typeof OrgEntity>

export const UserActionWord = words(userActions)

export const UserGroup = named('UserGroup', Type.Object({ id: Type.String(), name: Type.String() }))
export type UserGroup = Static<typeof UserGroup>

export const GroupEntity = named(
  'GroupEntity',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    isDefault: Type.Boolean(),
    userActions: Type.Array(UserActionWord),
    members: Type.Array(
      Type.Object({
        id: Type.String(),
        email: Type.String(),
        name: nullable(Type.String()),
      })
    ),
    createdAt: instant(),
    updatedAt: instant(),
  })
)
export type GroupEntity = Static<typeof GroupEntity>

export const UserGroupsForUserPutResponse = named(
  'UserGroupsForUserPutResponse',
  Type.Object({
    email: Type.String(),
    userId: Type.Optional(Type.String()),
    groups: Type.Array(UserGroup, { description: 'The custom groups of the user by now.' }),
    added: Type.Array(UserGroup),
    removed: Type.Array(UserGroup),
    error: Type.Optional(Type.String()),
    code: Type.Optional(Type.String({ description: 'Stable code of the error.' })),
  })
)
export type UserGroupsForUserPutResponse = Static<typeof UserGroupsForUserPutResponse>

export const UserGroupsForUsersSummary = named(
  'UserGroupsForUsersSummary',
  Type.Object({
    total: Type.Integer({ minimum: 0 }),
    updated: Type.Integer({ minimum: 0 }),
    unchanged: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
  })
)

export const UserGroupsForUsersPutResponse = named(
  'UserGroupsForUsersPutResponse',
  Type.Object({
    users: Type.Array(UserGroupsForUserPutResponse),
    summary: UserGroupsForUsersSummary,
  })
)
export type UserGroupsForUsersPutResponse = Static<typeof UserGroupsForUsersPutResponse>
