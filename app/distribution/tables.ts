import { flag, instant, json, table, text, integer } from '#foundation/core/database/table'
import type { BucketRuleType, BucketStatus, BucketType, PermissionLevel } from './vocabulary.js'

/** A group or a user, by id: names may change. */
export interface BucketMemberRow {
  type: 'group' | 'user'
  id: string
  permissionLevel: PermissionLevel
}

export interface BucketRuleRow {
  id: string
  type: BucketRuleType
  branch: string | null
  baseBranch: string | null
  workflow: string | null
  fileFilterPatterns: string[]
}

/** Where builds are handed to testers. */
export const buckets = table('buckets', {
  id: text(),
  organizationId: text(),
  appId: text(),
  name: text(),
  type: text<BucketType>(),
  status: text<BucketStatus>(),
  orgWideAccessEnabled: flag(),
  notificationsEnabled: flag(),
  position: integer(),
  members: json<BucketMemberRow[]>(),
  rules: json<BucketRuleRow[]>(),
  createdAt: instant(),
  updatedAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    buckets: typeof buckets
  }
}
