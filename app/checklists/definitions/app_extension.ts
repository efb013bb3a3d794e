import type { AppExtension } from '#apps/extensions'
import { checklistItems } from '../tables.js'

/** Extends apps by items. */
export const appExtension: AppExtension = {
  /** Items that were placed on a step go to the steps of its type, which may come again. */
  async removeSteps(scope, steps) {
    for (const { id: stepConfigId, type: stepType } of steps) {
      await scope.update(checklistItems, { stepConfigId }, { stepConfigId: null, stepType })
    }
  },
}
