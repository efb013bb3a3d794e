import type { GroupEntity, OrgEntity, UserGroupsForUsersPutResponse } from './entities.js'

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
