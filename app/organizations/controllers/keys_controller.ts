import { created, NO_STORE, noContent, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import type { Instant } from '#foundation/core/clock'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import { CreateKey, requirePossible } from '../actions/create_key.js'
import { RevokeKey } from '../actions/revoke_key.js'
import { RotateKey } from '../actions/rotate_key.js'
import { checkAppIds, checkGroupIds } from '../queries/find_scopes.js'
import { findKey, getKey, listKeys } from '../queries/list_keys.js'

/** The members of a request for a new key. */
interface KeyRequest {
  name: string
  admin?: boolean
  groupIds?: readonly string[]
  /** Null means every app. */
  appIds?: readonly string[] | null
  expiresAt?: Instant | null
}

interface RotationRequest {
  overlapHours?: number
  expiresAt?: Instant | null
}

const HOUR_MS = 3600 * 1000

export class KeysController {
  async index({ scope }: Call) {
    return ok(await listKeys(scope))
  }

  async show({ scope, params }: Call) {
    return ok(await getKey(scope, params.apiKeyId))
  }

  async store(call: Call<KeyRequest>) {
    const { scope, body } = call
    const errors = new InputErrors()
    await this.checkNew(call, errors)
    errors.throwIfAny()
    const { id, key } = await new CreateKey(scope).handle({ ...body, appIds: body.appIds ?? [] })
    const location = `/org/${scope.organization.id}/apiKey/${id}`
    const response = created({ ...(await getKey(scope, id)), key }, location)
    return { ...response, headers: { ...response.headers, ...NO_STORE } }
  }

  /** Gathers errors of a new key that a valid shape does not exclude. */
  async checkNew({ scope, body }: Call<PartiallyValid<KeyRequest>>, errors: InputErrors) {
    const { admin, groupIds, appIds, expiresAt } = body
    await errors.collect(() => requirePossible({ admin, appRestricted: Boolean(appIds?.length) }))
    await checkGroupIds(scope, groupIds, errors)
    await checkAppIds(scope, appIds, errors)
    checkEnd(scope.now, expiresAt, errors)
  }

  async rotate(call: Call<RotationRequest>) {
    const { scope, params, body } = call
    const errors = new InputErrors()
    this.checkRotation(call, errors)
    errors.throwIfAny()
    const { overlapHours, expiresAt } = body
    const { id, key, previousExpiresAt } = await new RotateKey(scope).handle({
      keyId: params.apiKeyId,
      overlapMs: overlapHours === undefined ? undefined : overlapHours * HOUR_MS,
      expiresAt,
    })
    return ok({ ...(await getKey(scope, id)), key, previousExpiresAt }, NO_STORE)
  }

  checkRotation({ scope, body }: Call<PartiallyValid<RotationRequest>>, errors: InputErrors) {
    checkEnd(scope.now, body.expiresAt, errors)
  }

  async revoke({ scope, params }: Call) {
    await new RevokeKey(scope).handle(params.apiKeyId)
    return ok(await getKey(scope, params.apiKeyId))
  }

  async end({ scope, params }: Call) {
    const { id, userId } = await findKey(scope, params.apiKeyId)
    const { actor } = scope
    if (actor.id !== (actor.type === 'user' ? userId : id)) throw refuse('not_found')
    await new RevokeKey(scope).handle(id)
    return noContent()
  }
}

function checkEnd(now: Instant, expiresAt: Instant | null | undefined, errors: InputErrors) {
  if (!expiresAt || expiresAt > now) return
  const message = 'The expiry of a key must be in the future.'
  errors.add({ pointer: '/expiresAt', code: 'in_the_past', message })
}
