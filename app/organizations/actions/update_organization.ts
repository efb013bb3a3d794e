import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import Organization from '../models/organization.js'

export interface UpdateOrganizationInput {
  name?: string
  roleBasedAccessEnabled?: boolean
  addNewUsersToAllApps?: boolean
  requireIfMatch?: boolean
}

/** Changes the settings of the scope's organization. Absent members stay as they are. */
export class UpdateOrganization {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found */
  async handle(input: UpdateOrganizationInput): Promise<Organization> {
    const { scope } = this
    const row = await Organization.find(scope.organization.id, { client: scope.transaction })
    if (!row) throw refuse('not_found')
    row.merge(input)
    const changed = { ...row.$dirty }
    if (Object.keys(changed).length === 0) return row
    row.updatedAt = scope.now
    await row.save()
    await recordAudit(scope, {
      action: 'organization.updated',
      subject: row.id,
      data: changed,
    })
    return row
  }
}
