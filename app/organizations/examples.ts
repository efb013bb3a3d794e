import type {
  ApiKeyEntity,
  ApiKeyWithSecret,
  GroupEntity,
  OrgEntity,
  RotatedApiKey,
  UserEntity,
  UserGroupsForUsersPutResponse,
} from './entities.js'

/*
 * The organization, people and keys of every example in the documents. All modules use the same
 * story: Acme releases version 4.2.0 of its iOS app in November 2026.
 */

export const ORG = { id: 'org_4fJq0VbM2wXy7TtZr9Kd', name: 'Acme' }

export const ADA = {
  id: 'user_7hK2mQx9VbM2wXy7TtZr',
  email: 'ada@acme.example',
  name: 'Ada Lovelace',
}
export const GRACE = {
  id: 'user_3nP5tYw8RkD1sLf6JgUc',
  email: 'grace@acme.example',
  name: 'Grace Hopper',
}

export const ADA_ACTING = { type: 'user', id: ADA.id, name: ADA.name } as const
export const GRACE_ACTING = { type: 'user', id: GRACE.id, name: GRACE.name } as const
export const CI_KEY = { type: 'apiKey', id: '4bWc9TnR2yHs', name: 'Release CI' } as const
export const QA_KEY = { type: 'apiKey', id: 'Zq81kDm02LxP', name: 'QA bot' } as const

export const QA_GROUP = { id: 'grp_9wTz4LmC6hRd2NbXk8Vq', name: 'QA' }
export const SECURITY_GROUP = { id: 'grp_1kQ8sZc3VbM2wXy7TtZr', name: 'Security' }

export const exampleOrganization: OrgEntity = {
  ...ORG,
  iconUrl: null,
  createdAt: '2026-01-12T08:00:00.000Z',
  roleBasedAccessEnabled: false,
  addNewUsersToAllApps: false,
  appCount: 2,
  userCount: 14,
}

export const exampleGroup: GroupEntity = {
  ...SECURITY_GROUP,
  isDefault: false,
  userActions: ['UpdateApprovalItemStatus'],
  members: [ADA],
  createdAt: '2026-01-12T08:30:00.000Z',
  updatedAt: '2026-10-05T14:20:00.000Z',
}

export const exampleUserGroups: UserGroupsForUsersPutResponse = {
  users: [
    {
      email: ADA.email,
      userId: ADA.id,
      groups: [SECURITY_GROUP],
      added: [SECURITY_GROUP],
      removed: [],
    },
  ],
  summary: { total: 1, updated: 1, unchanged: 0, failed: 0 },
}

export const exampleKey: ApiKeyEntity = {
  id: CI_KEY.id,
  prefix: `tarmac_${CI_KEY.id}`,
  name: CI_KEY.name,
  status: 'active',
  admin: false,
  groups: [SECURITY_GROUP],
  appRestricted: false,
  appIds: [],
  createdAt: '2026-10-05T14:20:00.000Z',
  madeBy: ADA_ACTING,
  expiresAt: '2027-10-05T14:20:00.000Z',
  revokedAt: null,
  lastUsedAt: '2026-11-19T13:17:00.000Z',
  unusedSince: null,
  rotatedFrom: null,
  person: null,
  ofRun: false,
  warning: null,
}

export const exampleNewKey: ApiKeyWithSecret = {
  ...exampleKey,
  lastUsedAt: null,
  key: `tarmac_${CI_KEY.id}VzoYeaPq4mT8cXw2LdRk6NjB1sGhF9uE3iQ7x0`,
}

/** The id of the key that replaces the one of CI. */
const RENEWED = 'Vq20sLm47XtR'

export const exampleRotatedKey: RotatedApiKey = {
  ...exampleNewKey,
  id: RENEWED,
  prefix: `tarmac_${RENEWED}`,
  key: `tarmac_${RENEWED}Hb5tYw8RkD1sLf6JgUcVzoYeaPq4mT8cXw2Ld0`,
  rotatedFrom: CI_KEY.id,
  createdAt: '2026-11-19T13:20:00.000Z',
  expiresAt: '2027-11-19T13:20:00.000Z',
  previousExpiresAt: '2026-11-20T13:20:00.000Z',
}

export const exampleUser: UserEntity = {
  ...ADA,
  status: 'active',
  admin: true,
  groups: [SECURITY_GROUP],
  createdAt: '2026-01-12T08:05:00.000Z',
  deactivatedAt: null,
}
