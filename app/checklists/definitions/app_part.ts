import type { AppPart } from '#apps/parts'
import { checklistItems } from '../tables.js'

/** The part of items in an app. */
export const appPart: AppPart = {
  /** Items that were placed on a step go to the steps of its type, which may come again. */
  async removeSteps(scope, steps) {
    for (const { id: stepConfigId, type: stepType } of steps) {
      await scope.update(checklistItems, { stepConfigId }, { stepConfigId: null, stepType })
    }
  },
}
