import type { Scope } from '#foundation/core/scope'
import type { ScheduledAction } from '../engine/facts.js'
import type Release from '../models/release.js'
import { releaseParts, type ReleaseWarning } from '../parts.js'

/** What stands against doing something with a release by hand now, of all its parts. */
export async function warningsOf(
  scope: Scope,
  release: Release,
  action: ScheduledAction
): Promise<ReleaseWarning[]> {
  const warnings: ReleaseWarning[] = []
  for (const part of releaseParts.parts) {
    warnings.push(...((await part.warnings?.(scope, release, action)) ?? []))
  }
  return warnings
}
