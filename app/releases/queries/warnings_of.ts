import type { Scope } from '#foundation/core/scope'
import type { ScheduledAction } from '../engine/facts.js'
import type Release from '../models/release.js'
import { releaseParts, type ReleaseWarning } from '../parts.js'

/** What stands against doing something with a release by hand now, of all its parts. */
async function warningsOf(
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

/** What a call by hand answers, with what stood against it; without such a member where nothing did. */
export async function warned<Shown extends object>(
  scope: Scope,
  release: Release,
  action: ScheduledAction,
  shown: Shown
): Promise<Shown & { warnings?: ReleaseWarning[] }> {
  const warnings = await warningsOf(scope, release, action)
  return warnings.length > 0 ? { ...shown, warnings } : shown
}
