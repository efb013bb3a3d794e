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

/**
 * What a call by hand answers, with what stood against it.
 * @param found what the call itself came upon
 */
export async function warned<Shown extends object>(
  scope: Scope,
  release: Release,
  action: ScheduledAction,
  shown: Shown,
  found: readonly ReleaseWarning[] = []
): Promise<Shown & { warnings?: ReleaseWarning[] }> {
  return withWarnings([...(await warningsOf(scope, release, action)), ...found], shown)
}

/** An answer without such a member where there is nothing to warn of. */
export function withWarnings<Shown extends object>(
  warnings: ReleaseWarning[],
  shown: Shown
): Shown & { warnings?: ReleaseWarning[] } {
  return warnings.length > 0 ? { ...shown, warnings } : shown
}
