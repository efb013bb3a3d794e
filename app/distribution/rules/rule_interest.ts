import { findApp } from '#apps/queries/find_app'
import type { BuildInterest } from '#builds/interests'
import { yieldToOthers } from '#foundation/core/yielding'
import Bucket from '../models/bucket.js'
import { takesBuild } from './match_rules.js'

/** Buckets wait for the builds that their rules take. */
export const ruleInterest: BuildInterest = async (scope, appId) => {
  const buckets = await scope.query(Bucket).where({ appId, status: 'active' })
  const rules = buckets.flatMap((bucket) => bucket.rules)
  if (rules.length === 0) return null
  const app = await findApp(scope, appId)
  return async (build) => {
    for (const rule of rules) {
      if (takesBuild(rule, app, build)) return true
      await yieldToOthers()
    }
    return false
  }
}
