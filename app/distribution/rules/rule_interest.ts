import { findApp } from '#apps/queries/find_app'
import type { BuildInterest } from '#builds/interests'
import { yieldToOthers } from '#foundation/core/yielding'
import Bucket from '../models/bucket.js'
import { acceptsBuild } from './match_rules.js'

/** The app is interested in the builds that a rule of its buckets accepts. */
export const ruleInterest: BuildInterest = async (scope, appId) => {
  const buckets = await scope.query(Bucket).where({ appId, status: 'active' })
  const rules = buckets.flatMap((bucket) => bucket.rules)
  if (rules.length === 0) return null
  const app = await findApp(scope, appId)
  return async (build) => {
    for (const rule of rules) {
      if (acceptsBuild(rule, app, build)) return true
      await yieldToOthers()
    }
    return false
  }
}
