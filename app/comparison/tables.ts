import { instant, json, table, text } from '#foundation/core/database/table'
import type { ChangeKind } from './vocabulary.js'

/** A kind of change that needs an approval by one of the groups; without groups, by anybody. */
export interface ChangeRule {
  /** Identifies the items of the rule, also after its groups have changed. */
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
