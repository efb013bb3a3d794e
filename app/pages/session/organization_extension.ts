import type { OrganizationExtension } from '#organizations/extensions'

/** Extends organizations by accounts. */
export const organizationExtension: OrganizationExtension = {
  async leave(scope, accountId) {
    const { endSignIns } = await import('./actions/end_sign_in.js')
    const { belongsElsewhere } = await import('./queries/belongs_elsewhere.js')
    if (await belongsElsewhere(scope, accountId)) return
    await endSignIns(scope.transaction, accountId, { but: null })
  },
}
