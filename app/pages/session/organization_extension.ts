import type { OrganizationExtension } from '#organizations/extensions'

/** Signs an account out when its person leaves the last organization. */
export const organizationExtension: OrganizationExtension = {
  async leave(scope, accountId) {
    const { endSignIns } = await import('./actions/end_sign_in.js')
    const { belongsElsewhere } = await import('./queries/belongs_elsewhere.js')
    if (await belongsElsewhere(scope, accountId)) return
    await endSignIns(scope.transaction, accountId, { but: null })
  },
}
