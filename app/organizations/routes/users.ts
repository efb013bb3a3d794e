import { pageOf } from '#foundation/core/schemas'
import { actions, admin, operation } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { UserEntity } from '../entities.js'
import { ADA, exampleUser, GRACE, SECURITY_GROUP } from '../examples.js'
import { createUserBody, listUsersQuery, updateUserBody } from '../validators/user.js'

const users = lazyController(
  async () => new (await import('../controllers/users_controller.js')).UsersController()
)

const all = '/org/{orgId}/user'
const one = `${all}/{userId}`
const shared = { tag: 'Organization', surface: 'pages' } as const
const shown = { description: 'The person.', schema: UserEntity, example: exampleUser }
const changed = { 200: { ...shown, description: 'The changed person.' } }

/** People: pages and the console add and change them. */
export const userOperations = [
  operation({
    ...shared,
    id: 'listUsers',
    method: 'GET',
    path: all,
    summary: 'List the people of the organization',
    description: 'Returns people, sorted by e-mail address, with their groups.',
    access: actions('ManageUsersGroups'),
    query: listUsersQuery,
    responses: {
      200: {
        description: 'A page of people.',
        schema: pageOf(UserEntity),
        example: {
          data: [exampleUser],
          pagination: { limit: 50, hasMore: false, nextCursor: null },
        },
      },
    },
    handle: (call) => users.index(call),
  }),
  operation({
    ...shared,
    id: 'getUser',
    method: 'GET',
    path: one,
    summary: 'Get a person',
    description: 'Returns a person with their groups.',
    access: actions('ManageUsersGroups'),
    responses: { 200: shown },
    handle: (call) => users.show(call),
  }),
  operation({
    ...shared,
    id: 'createUser',
    method: 'POST',
    path: all,
    summary: 'Add a person',
    description:
      'Adds a person, who is `invited` until they sign in. The address cannot be changed and is unique in the organization.',
    access: admin,
    body: {
      kind: 'json',
      name: 'UserCreation',
      description: 'The person to add.',
      like: UserEntity,
      validator: createUserBody,
      example: { email: GRACE.email, name: GRACE.name, groupIds: [SECURITY_GROUP.id] },
    },
    responses: {
      201: {
        ...shown,
        example: { ...exampleUser, ...GRACE, admin: false, status: 'invited' },
      },
    },
    check: (call, errors) => users.checkGroups(call, errors),
    handle: (call) => users.store(call),
  }),
  operation({
    ...shared,
    id: 'updateUser',
    method: 'PATCH',
    path: one,
    summary: 'Change a person',
    description:
      'Changes the given fields; `groupIds` replaces the whole list. Only admins can change the members of default groups and who is an admin. Nobody can add a person to a group with user actions that they lack themselves. The last admin of an organization, key or person, cannot be removed: 409 `last_admin`.',
    access: actions('ManageUsersGroups'),
    precondition: { of: 'getUser' },
    body: {
      kind: 'json',
      name: 'UserUpdate',
      description: 'Fields to change; absent fields stay, null clears.',
      like: UserEntity,
      validator: updateUserBody,
      example: { name: ADA.name, groupIds: [SECURITY_GROUP.id] },
    },
    responses: changed,
    check: (call, errors) => users.checkGroups(call, errors),
    handle: (call) => users.update(call),
  }),
  operation({
    ...shared,
    id: 'deactivateUser',
    method: 'PUT',
    path: `${one}/deactivate`,
    summary: 'Deactivate a person',
    description:
      'Immediately removes all rights of a person and removes them from all groups. They are signed out unless their account belongs to another organization. Their past actions stay under their name. The last admin of an organization, key or person, cannot be deactivated: 409 `last_admin`.',
    access: admin,
    responses: changed,
    handle: (call) => users.deactivate(call),
  }),
  operation({
    ...shared,
    id: 'activateUser',
    method: 'PUT',
    path: `${one}/activate`,
    summary: 'Activate a person again',
    description: 'Reactivates a person and restores their former groups.',
    access: admin,
    responses: changed,
    handle: (call) => users.activate(call),
  }),
]
