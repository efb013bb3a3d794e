import { created, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { ActivateUser } from '../actions/activate_user.js'
import { CreateUser } from '../actions/create_user.js'
import { DeactivateUser } from '../actions/deactivate_user.js'
import { UpdateUser } from '../actions/update_user.js'
import { checkGroupIds } from '../queries/find_scopes.js'
import {
  findUser,
  listUsers,
  userEntities,
  userEntity,
  type UserFilters,
} from '../queries/user_entities.js'

interface UserChange {
  name?: string | null
  groupIds?: readonly string[]
  admin?: boolean
}

interface NewUser extends UserChange {
  email: string
}

export class UsersController {
  index({ scope, query }: Call<undefined, UserFilters & { limit?: number; cursor?: string }>) {
    return page({
      cursors,
      path: `/org/${scope.organization.id}/user`,
      query: { ...query },
      fetch: (request) => listUsers(scope, query, request),
      keys: ({ email }) => [email],
      transform: (users) => userEntities(scope, users),
    })
  }

  async show({ scope, params }: Call) {
    return ok(await userEntity(scope, await findUser(scope, params.userId)))
  }

  async store(call: Call<NewUser>) {
    const { scope, body } = call
    await this.#requireKnownGroups(call)
    const user = await new CreateUser(scope).handle({ ...body, status: 'invited' })
    const location = `/org/${scope.organization.id}/user/${user.id}`
    return created(await userEntity(scope, user), location)
  }

  async update(call: Call<UserChange>) {
    const { scope, params, body } = call
    const user = await findUser(scope, params.userId)
    await this.#requireKnownGroups(call)
    await new UpdateUser(scope).handle(user, body)
    return ok(await userEntity(scope, user))
  }

  /** Checks the groups that a body names. */
  checkGroups({ scope, body }: Call<PartiallyValid<UserChange>>, errors: InputErrors) {
    return checkGroupIds(scope, body.groupIds, errors)
  }

  async deactivate({ scope, params }: Call) {
    const user = await findUser(scope, params.userId)
    await new DeactivateUser(scope).handle(user)
    return ok(await userEntity(scope, user))
  }

  async activate({ scope, params }: Call) {
    const user = await findUser(scope, params.userId)
    await new ActivateUser(scope).handle(user)
    return ok(await userEntity(scope, user))
  }

  async #requireKnownGroups(call: Call<UserChange>): Promise<void> {
    const errors = new InputErrors()
    await this.checkGroups(call, errors)
    errors.throwIfAny()
  }
}
