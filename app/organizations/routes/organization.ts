import { list } from '#foundation/core/schemas'
import {
  ADA,
  SECURITY_GROUP,
  exampleGroup,
  exampleOrganization,
  exampleUserGroups,
} from '../examples.js'
import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { GroupEntity, OrgEntity, UserGroupsForUsersPutResponse } from '../entities.js'
import { createGroupBody, updateGroupBody, userGroupsBody } from '../validators/group.js'
import { twoSteps } from '#foundation/api/operation/steps'

const organizations = lazyController(
  async () =>
    new (await import('../controllers/organizations_controller.js')).OrganizationsController()
)
const groups = lazyController(
  async () => new (await import('../controllers/groups_controller.js')).GroupsController()
)

/** The organization and its groups. */
export const organizationOperations = [
  operation({
    id: 'getOrganization',
    method: 'GET',
    path: '/org/{orgId}',
    tag: 'Organization',
    summary: 'Get organization details',
    description: 'Returns the organization of the key, with the numbers of its apps and users.',
    access: read,
    isOfStored: true,
    responses: {
      200: {
        description: 'The organization.',
        schema: OrgEntity,
        example: exampleOrganization,
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
    description:
      'Returns the default groups, then the custom ones, each sorted by name, with their members.',
    access: read,
    isOfStored: true,
    responses: {
      200: {
        description: 'The groups.',
        schema: list('The groups.', GroupEntity, 10_000),
        example: [exampleGroup],
      },
    },
    handle: (call) => groups.index(call),
  }),
  operation({
    id: 'createGroup',
    steps: twoSteps('grants rights'),
    method: 'POST',
    path: '/org/{orgId}/group',
    tag: 'Organization',
    summary: 'Create a group',
    description:
      'Creates a custom group with a set of user actions. Its name must be unique in the organization regardless of case. Every member must be a user of the organization.',
    access: actions('ManageUsersGroups'),
    body: {
      kind: 'json',
      name: 'BaseGroupCreateRequestBody',
      description: 'The group to create.',
      like: GroupEntity,
      validator: createGroupBody,
      example: {
        name: SECURITY_GROUP.name,
        userActions: exampleGroup.userActions,
        userEmails: [ADA.email],
      },
    },
    responses: {
      201: { description: 'The group.', schema: GroupEntity, example: exampleGroup },
    },
    check: (call, errors) => groups.checkMembers(call, errors),
    handle: (call) => groups.store(call),
  }),
  operation({
    id: 'updateUserGroups',
    steps: twoSteps('grants rights, or takes them away'),
    method: 'PUT',
    path: '/org/{orgId}/users/groups',
    tag: 'Organization',
    summary: 'Update ad hoc groups for users',
    description:
      'Replaces the custom groups of each listed user; default groups are unchanged. Accepts `users`, or `email` and `groupIds` for one. Users who cannot be changed get an error and the others are updated; 422 with the same members if none could be.',
    access: actions('ManageUsersGroups'),
    body: {
      kind: 'json',
      name: 'UserGroupsForUserPutRequestForm',
      description: 'Several users in `users`, or one in `email` and `groupIds`.',
      validator: userGroupsBody,
      example: { users: [{ email: ADA.email, groupIds: [SECURITY_GROUP.id] }] },
    },
    responses: {
      200: {
        description: 'The result for each user.',
        schema: UserGroupsForUsersPutResponse,
        example: exampleUserGroups,
      },
    },
    check: (call, errors) => groups.checkAssign(call, errors),
    handle: (call) => groups.assign(call),
  }),
  operation({
    id: 'getGroup',
    method: 'GET',
    path: '/org/{orgId}/group/{groupId}',
    tag: 'Organization',
    summary: 'Get a custom group',
    description: 'Returns a group, custom or default, with its user actions and members.',
    access: read,
    isOfStored: true,
    responses: { 200: { description: 'The group.', schema: GroupEntity, example: exampleGroup } },
    handle: (call) => groups.show(call),
  }),
  operation({
    id: 'updateGroup',
    steps: twoSteps('grants rights, or takes them away'),
    method: 'PUT',
    path: '/org/{orgId}/group/{groupId}',
    tag: 'Organization',
    summary: 'Update a custom group',
    description:
      'Changes the given fields; `userActions` and `userEmails` replace the whole list. A default group answers 409.',
    access: actions('ManageUsersGroups'),
    precondition: { of: 'getGroup' },
    body: {
      kind: 'json',
      name: 'BaseGroupUpdateRequestBody',
      description: 'Fields to change; absent fields stay.',
      like: GroupEntity,
      validator: updateGroupBody,
      example: { userActions: exampleGroup.userActions },
    },
    responses: { 200: { description: 'The group.', schema: GroupEntity, example: exampleGroup } },
    check: (call, errors) => groups.checkMembers(call, errors),
    handle: (call) => groups.update(call),
  }),
  operation({
    id: 'deleteGroup',
    steps: twoSteps('destroys the group, and what it owned has no owner'),
    method: 'DELETE',
    path: '/org/{orgId}/group/{groupId}',
    tag: 'Organization',
    summary: 'Delete a custom group',
    description:
      'Deletes the group and removes it from item owners, bucket members and API key scopes. A default group answers 409.',
    access: actions('ManageUsersGroups'),
    precondition: { of: 'getGroup' },
    responses: { 204: { description: 'The group is deleted.' } },
    events: ['releaseStep.statusChanged', 'release.stepsReadyToSubmit'],
    handle: (call) => groups.destroy(call),
  }),
]
