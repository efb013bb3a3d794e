import type { Scope } from '#foundation/core/scope'
import type { ScheduledAction } from '../engine/facts.js'
import type Release from '../models/release.js'
import { planningPort, type ReleaseWarning } from '../ports.js'

/**
 * Adds the warnings for a manual action to its answer.
 * @param found further warnings that the action itself produced
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

/** Adds warnings to an answer. Without any, the member is absent. */
export function withWarnings<Shown extends object>(
  warnings: ReleaseWarning[],
  shown: Shown
): Shown & { warnings?: ReleaseWarning[] } {
  return warnings.length > 0 ? { ...shown, warnings } : shown
}
