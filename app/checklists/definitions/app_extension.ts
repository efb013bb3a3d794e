import type { AppExtension } from '#apps/extensions'
import { checklistItems } from '../tables.js'

/** The extension of apps by items. */
export const appExtension: AppExtension = {
  /** Places the items of removed steps on the step type instead, which may be added again. */
  async removeSteps(scope, steps) {
    for (const { id: stepConfigId, type: stepType } of steps) {
      await scope.update(checklistItems, { stepConfigId }, { stepConfigId: null, stepType })
    }
  },
}
