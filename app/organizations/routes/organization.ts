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
    description: 'The organization of the key, with the number of its apps and users.',
    access: read,
    isOfStored: true,
    answers: {
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
    description: 'The default groups, then the custom ones, each by name, with their members.',
    access: read,
    isOfStored: true,
    answers: {
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
      'Makes a custom group with a chosen set of user actions. Its name is unique in the organization without regard to case; every member must be a user of the organization.',
    access: actions('ManageUsersGroups'),
    body: {
      kind: 'json',
      name: 'BaseGroupCreateRequestBody',
      description: 'The group to make.',
      like: GroupEntity,
      validator: createGroupBody,
      example: {
        name: SECURITY_GROUP.name,
        userActions: exampleGroup.userActions,
        userEmails: [ADA.email],
      },
    },
    answers: {
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
      'Replaces the custom groups of each listed user; default groups stay as they are. Takes `users`, or `email` and `groupIds` for one. A user that cannot be changed carries an error while the others are applied; 422 with the same members when none could be.',
    access: actions('ManageUsersGroups'),
    body: {
      kind: 'json',
      name: 'UserGroupsForUserPutRequestForm',
      description: 'Several users in `users`, or one in `email` and `groupIds`.',
      validator: userGroupsBody,
      example: { users: [{ email: ADA.email, groupIds: [SECURITY_GROUP.id] }] },
    },
    answers: {
      200: {
        description: 'What became of each user.',
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
    description: 'A group with its user actions and members; default groups can be read as well.',
    access: read,
    isOfStored: true,
    answers: { 200: { description: 'The group.', schema: GroupEntity, example: exampleGroup } },
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
      'Changes what the body names: `userActions` and `userEmails` replace the whole list. A default group answers 409.',
    access: actions('ManageUsersGroups'),
    precondition: { of: 'getGroup' },
    body: {
      kind: 'json',
      name: 'BaseGroupUpdateRequestBody',
      description: 'What to change; what is absent stays.',
      like: GroupEntity,
      validator: updateGroupBody,
      example: { userActions: exampleGroup.userActions },
    },
    answers: { 200: { description: 'The group.', schema: GroupEntity, example: exampleGroup } },
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
      'Deletes the group and takes it off the owners of items, the members of buckets and the scopes of API keys. A default group answers 409.',
    access: actions('ManageUsersGroups'),
    precondition: { of: 'getGroup' },
    answers: { 204: { description: 'The group is deleted.' } },
    events: ['releaseStep.statusChanged', 'release.stepsReadyToSubmit'],
    handle: (call) => groups.destroy(call),
  }),
]
