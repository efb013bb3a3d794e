import { created, NO_STORE, noContent, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { quota } from '#foundation/api/services'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { Problem } from '#foundation/core/problems/problem'
import { exchangeToken, type Exchange } from './exchange_token.js'
import {
  changeTrustRule,
  checkTrustRule,
  deleteTrustRule,
  getTrustRule,
  listTrustRules,
  makeTrustRule,
} from './trust_rules.js'
import type { TrustRuleInput } from './validators.js'

/** Problems that count as failed authentication. */
const COUNTED: ReadonlySet<string> = new Set(['token_refused', 'issuer_unreachable'])

export class KeylessController {
  async index({ scope }: Call) {
    return ok(await listTrustRules(scope))
  }

  async show({ scope, params }: Call) {
    return ok(await getTrustRule(scope, params.trustRuleId))
  }

  async store({ scope, params, body }: Call<TrustRuleInput>) {
    const rule = await makeTrustRule(scope, body)
    return created(rule, `/org/${params.orgId}/trustRule/${rule.id}`)
  }

  async check({ scope, body }: Call<PartiallyValid<TrustRuleInput>>, errors: InputErrors) {
    await checkTrustRule(scope, body, errors)
  }

  async update({ scope, params, body }: Call<TrustRuleInput>) {
    return ok(await changeTrustRule(scope, params.trustRuleId, body))
  }

  async destroy({ scope, params }: Call) {
    await deleteTrustRule(scope, params.trustRuleId)
    return noContent()
  }

  /** A token that is refused or cannot be verified counts like an invalid key. */
  async exchange({ body, origin }: Call<Exchange>) {
    try {
      return ok(await exchangeToken(body), NO_STORE)
    } catch (error) {
      const isRefused = error instanceof Problem && COUNTED.has(error.code)
      const blocked = isRefused && origin.address ? await quota.countFailure(origin.address) : null
      throw blocked ?? error
    }
  }
}
