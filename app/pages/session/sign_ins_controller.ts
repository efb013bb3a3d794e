import { NO_STORE, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { requireActive, findUser } from '#organizations/queries/user_entities'
import { CreateSignInLink } from './actions/create_sign_in_link.js'
import { EndSignIn } from './actions/end_sign_in.js'
import { listSignIns } from './queries/list_sign_ins.js'

export class SignInsController {
  async invite({ scope, params: { userId }, origin }: Call) {
    requireActive(await findUser(scope, userId))
    const { path, expiresAt } = await new CreateSignInLink(scope).handle({ userId })
    return ok({ url: origin.baseUrl + path, expiresAt }, NO_STORE)
  }

  async index({ scope, params: { userId } }: Call) {
    const { accountId } = await findUser(scope, userId)
    return ok(await listSignIns(scope, accountId))
  }

  async end({ scope, params: { userId }, body }: Call<{ signInId?: string | null }>) {
    const { signInId = null } = body
    return ok({ ended: await new EndSignIn(scope).handle({ userId, signInId }) })
  }
}
