import type { Scope } from '#foundation/core/scope'
import type { ScheduledAction } from '../engine/facts.js'
import type Release from '../models/release.js'
import { planningPort, type ReleaseWarning } from '../ports.js'

/**
 * Returns the answer of a manual call with its warnings.
 * @param found warnings that the call itself produced
 */
export async function warned<Shown extends object>(
  scope: Scope,
  release: Release,
  action: ScheduledAction,
  shown: Shown,
  found: readonly ReleaseWarning[] = []
): Promise<Shown & { warnings?: ReleaseWarning[] }> {
  const warnings = await planningPort.provided.warnings(scope, release, action)
  return withWarnings([...warnings, ...found], shown)
}

/** An answer without such a member where there is nothing to warn of. */
export function withWarnings<Shown extends object>(
  warnings: ReleaseWarning[],
  shown: Shown
): Shown & { warnings?: ReleaseWarning[] } {
  return warnings.length > 0 ? { ...shown, warnings } : shown
}
