import type { AppExtension } from '#apps/extensions'
import { checklistItems } from '../tables.js'

/** Keeps the items of an app in line with its steps. */
export const appExtension: AppExtension = {
  /**
   * Moves the items of removed steps to their step type, as a step of the type may be added later.
   */
  async removeSteps(scope, steps) {
    for (const { id: stepConfigId, type: stepType } of steps) {
      await scope.update(checklistItems, { stepConfigId }, { stepConfigId: null, stepType })
    }
  },
}
