import type { OrganizationPart } from '#organizations/parts'

/** The part of accounts in an organization. */
export const organizationPart: OrganizationPart = {
  async leave(scope, accountId) {
    const { endSignIns } = await import('./actions/end_sign_in.js')
    const { belongsElsewhere } = await import('./queries/belongs_elsewhere.js')
    if (await belongsElsewhere(scope, accountId)) return
    await endSignIns(scope.transaction, accountId, { but: null })
  },
}
