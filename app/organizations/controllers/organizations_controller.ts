import { ok } from '#foundation/operation/answer'
import type { Call } from '#foundation/operation/declaration'
import { getOrganization } from '../queries/get_organization.js'

export class OrganizationsController {
  async show({ scope }: Call) {
    return ok(await getOrganization(scope))
  }
}
