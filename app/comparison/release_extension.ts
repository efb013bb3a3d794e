import type { Scope } from '#foundation/core/scope'
import { approvalsStep } from '#checklists/demanded/approvals_step'
import { storeRequiredItems } from '#checklists/demanded/store_required_items'
import { holderOf } from '#releases/engine/conditions'
import { isEnded } from '#releases/lifecycle/open_releases'
import type { ReleaseExtension } from '#releases/extensions'
import type { ReleaseRow } from '#releases/queries/read_release'
import { stepRows } from '#releases/queries/step_rows'
import { storesOfRelease } from '#stores/queries/store_state'
import { prefetchRules, changeRules } from './approvals/change_rules.js'
import { demandedApprovals } from './approvals/demanded_approvals.js'

/** Extends releases by the approvals that changes in their builds need. */
export const releaseExtension: ReleaseExtension = {
  name: 'comparison',
  facts: {
    prefetch: (scope, { appId }) => prefetchRules(scope, appId),
    /** A release that users have in all stores is no longer held. */
    async correct(scope, release, { steps, facts }) {
      const isHeld = facts.items.some(({ isDemanded }) => isDemanded)
      const rules = await changeRules(scope, release.appId)
      if ((rules.length === 0 && !isHeld) || (await isOutEverywhere(scope, release))) return false
      const isBuildDue = isHeld || release.readyToSubmit
      const wanted = await demandedApprovals(scope, release, rules, isBuildDue)
      if (wanted.length === 0 && !isHeld) return false
      return storeRequiredItems(scope, release, steps, wanted)
    },
  },
  presentation: {
    /**
     * Reports demanded approvals of a release without a required approvals step, as nothing waits
     * for them. A rollback needs no such step: it brings back what users had.
     */
    async stalled(scope, release) {
      if (release.createType === 'rollback') return []
      const rules = await changeRules(scope, release.appId)
      if (rules.length === 0 || (await isOutEverywhere(scope, release))) return []
      const step = approvalsStep(await stepRows(scope, release.id))
      if (step?.required) return []
      const wanted = await demandedApprovals(scope, release, rules, release.readyToSubmit)
      if (wanted.length === 0) return []
      const named = wanted.map(({ title }) => title).join(', ')
      return [
        {
          code: 'change_approvals_unplaced',
          message: `${named}: the release has no required approvals step that would wait for it. Add one to the workflow.`,
          subject: { type: 'release', id: release.publicId, name: release.version },
          who: [holderOf('UpdateAppSettings')],
        },
      ]
    },
  },
}

/** Returns whether a release has ended, or users have it in every store that it goes to. */
async function isOutEverywhere(scope: Scope, release: ReleaseRow): Promise<boolean> {
  if (isEnded(release)) return true
  if (release.releasedAt === null) return false
  const stores = await storesOfRelease(scope, release)
  return stores.every(
    ({ version, plan, facts }) => facts.rollout.state !== null || (version ?? plan) === null
  )
}
