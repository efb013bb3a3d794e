import { Type } from '@sinclair/typebox'
import { actions, operation, read } from '#foundation/api/operation/declaration'
import { GroupsController } from './controllers/groups_controller.js'
import { OrganizationsController } from './controllers/organizations_controller.js'
import { GroupEntity, OrgEntity, UserGroupsForUsersPutResponse } from './entities.js'
import { createGroupBody, updateGroupBody, userGroupsBody } from './validators/group.js'

const organizations = new OrganizationsController()
const groups = new GroupsController()

const groupExample: GroupEntity = {
  id: 'grp_1kQ8sZc3VbM2wXy7TtZr',
  name: 'Security',
  isDefault: false,
  userActions: ['UpdateApprovalItemStatus'],
  members: [{ id: 'user_7hK2mQx9VbM2wXy7TtZr', email: 'ada@acme.example', name: 'Ada' }],
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
}

export const operations = [
  operation({
    id: 'getOrganization',
    method: 'GET',
    path: '/org/{orgId}',
    tag: 'Organization',
    summary: 'Get organization details',
    description: 'The organization of the key, with the number of its apps and users.',
    access: read,
    answers: {
      200: {
        description: 'The organization.',
        schema: OrgEntity,
        example: {
          id: 'org_4fJq0VbM2wXy7TtZr9Kd',
          name: 'Acme',
          iconUrl: null,
          createdAt: '2026-11-20T09:00:00.000Z',
          roleBasedAccessEnabled: false,
          addNewUsersToAllApps: false,
          appCount: 2,
          userCount: 14,
        },
      },
    },
    handle: (call) => organizations.show(call),
  }),
  operation({
    id: 'listGroups',
    method: 'GET',
    path: '/org/{orgId}/group',
    tag: 'Organization',
    summary: 'List all groups',
    description: 'The default groups, then the custom ones, each by name, with their members.',
    access: read,
    answers: {
      200: {
        description: 'The groups.',
        schema: Type.Array(GroupEntity),
        example: [groupExample],
      },
    },
    handle: (call) => groups.index(call),
  }),
  operation({
    id: 'createGroup',
    method: 'POST',
    path: '/org/{orgId}/group',
    tag: 'Organization',
    summary: 'Create a group',
    description:
      'Makes a custom group with a chosen set of user actions. Its name is unique in the organization without regard to case; every member must be a user of the organization.',
    access: actions('ManageUsersGroups'),
    body: {
      kind: 'json',
      name: 'BaseGroupCreateRequestBody',
      validator: createGroupBody,
      example: {
        name: 'Security',
        userActions: ['UpdateApprovalItemStatus'],
        userEmails: ['ada@acme.example'],
      },
    },
    answers: {
      201: { description: 'The group.', schema: GroupEntity, example: groupExample },
    },
    check: (call, faults) => groups.checkMembers(call, faults),
    handle: (call) => groups.store(call),
  }),
  operation({
    id: 'updateUserGroups',
    method: 'PUT',
    path: '/org/{orgId}/users/groups',
    tag: 'Organization',
    summary: 'Update ad hoc groups for users',
    description:
      'Replaces the custom groups of each listed user; default groups stay as they are. Takes `users`, or `email` and `groupIds` for one. A user that cannot be changed carries an error while the others are applied; 422 with the same members when none could be.',
    access: actions('ManageUsersGroups'),
    body: {
      kind: 'json',
      name: 'UserGroupsForUserPutRequestForm',
      validator: userGroupsBody,
      example: { users: [{ email: 'ada@acme.example', groupIds: ['grp_1kQ8sZc3VbM2wXy7TtZr'] }] },
    },
    answers: {
      200: {
        description: 'What became of each user.',
        schema: UserGroupsForUsersPutResponse,
        example: {
          users: [
            {
              email: 'ada@acme.example',
              userId: 'user_7hK2mQx9VbM2wXy7TtZr',
              groups: [{ id: 'grp_1kQ8sZc3VbM2wXy7TtZr', name: 'Security' }],
              added: [{ id: 'grp_1kQ8sZc3VbM2wXy7TtZr', name: 'Security' }],
              removed: [],
            },
          ],
          summary: { total: 1, updated: 1, unchanged: 0, failed: 0 },
        },
      },
    },
    check: (call, faults) => groups.checkAssign(call, faults),
    handle: (call) => groups.assign(call),
  }),
  operation({
    id: 'getGroup',
    method: 'GET',
    path: '/org/{orgId}/group/{groupId}',
    tag: 'Organization',
    summary: 'Get a custom group',
    description: 'A group with its user actions and members; default groups can be read as well.',
    access: read,
    answers: { 200: { description: 'The group.', schema: GroupEntity, example: groupExample } },
    handle: (call) => groups.show(call),
  }),
  operation({
    id: 'updateGroup',
    method: 'PUT',
    path: '/org/{orgId}/group/{groupId}',
    tag: 'Organization',
    summary: 'Update a custom group',
    description:
      'Changes what the body names: `userActions` and `userEmails` replace the whole list. A default group answers 409.',
    access: actions('ManageUsersGroups'),
    precondition: { of: 'getGroup' },
    body: {
      kind: 'json',
      name: 'BaseGroupUpdateRequestBody',
      validator: updateGroupBody,
      example: { name: 'Security and privacy' },
    },
    answers: { 200: { description: 'The group.', schema: GroupEntity, example: groupExample } },
    check: (call, faults) => groups.checkMembers(call, faults),
    handle: (call) => groups.update(call),
  }),
  operation({
    id: 'deleteGroup',
    method: 'DELETE',
    path: '/org/{orgId}/group/{groupId}',
    tag: 'Organization',
    summary: 'Delete a custom group',
    description:
      'Deletes the group and takes it off the owners of items, the members of buckets and the scopes of API keys. A default group answers 409.',
    access: actions('ManageUsersGroups'),
    precondition: { of: 'getGroup' },
    answers: { 204: { description: 'The group is deleted.' } },
    handle: (call) => groups.destroy(call),
  }),
]
