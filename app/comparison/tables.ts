import { instant, json, table, text } from '#foundation/core/database/table'
import type { ChangeKind } from './vocabulary.js'

/** A kind of change that needs an approval, and whose: ids of groups, none for whoever may. */
export interface ChangeRule {
  /** Finds the items of the rule again, whatever becomes of its groups. */
  key: string
  change: ChangeKind
  groupIds: string[]
}

/** The kinds of change of an app that need an approval, in order. */
export const changeApprovals = table('change_approvals', {
  appId: text(),
  organizationId: text(),
  rules: json<ChangeRule[]>(),
  updatedAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    change_approvals: typeof changeApprovals
  }
}
