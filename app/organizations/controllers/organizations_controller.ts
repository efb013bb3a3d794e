import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { getOrganization } from '../queries/get_organization.js'

export class OrganizationsController {
  async show({ scope }: Call) {
    return ok(await getOrganization(scope))
  }
}
