import { approvalsStep, keepDemandedItems } from '#checklists/demanded/keep_demanded_items'
import { holderOf } from '#releases/engine/conditions'
import { isEnded } from '#releases/lifecycle/open_releases'
import type { ReleasePart } from '#releases/parts'
import { stepRows } from '#releases/queries/step_rows'
import { askRulesAhead } from './approvals/change_rules.js'
import { demandedApprovals } from './approvals/demanded_approvals.js'

/** The part of comparisons in a release: approvals that changes of its build need. */
export const releasePart: ReleasePart = {
  name: 'comparison',
  facts: {
    askAhead: (scope, { appId }) => askRulesAhead(scope, appId),
    /** What users have already is not held any more. */
    async correct(scope, release, { steps, facts }) {
      if (isEnded(release) || release.releasedAt !== null) return false
      const wanted = await demandedApprovals(scope, release)
      if (wanted.length === 0 && !facts.items.some(({ isDemanded }) => isDemanded)) return false
      return keepDemandedItems(scope, release, steps, wanted)
    },
  },
  presentation: {
    /**
     * An approval that no step of the release can hold does not hold it up. A rollback, whose
     * workflow need not have one, brings back what users had.
     */
    async stalled(scope, release) {
      const isRollback = release.createType === 'rollback'
      if (isEnded(release) || release.releasedAt !== null || isRollback) return []
      const wanted = await demandedApprovals(scope, release)
      if (wanted.length === 0) return []
      const step = approvalsStep(await stepRows(scope, release.id))
      if (step?.required) return []
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
