import type { Scope } from '#foundation/core/scope'
import { neutralPart } from '../engine/facts.js'
import type Release from '../models/release.js'
import { releaseExtensions } from '../extensions.js'
import type { StepRow } from '../queries/step_rows.js'

/**
 * Ids of the steps that a release keeps whatever its workflow is: those that somebody worked on,
 * or that hold something touched. An upcoming release keeps none: it follows its workflow whole.
 */
export async function heldSteps(
  scope: Scope,
  release: Release,
  rows: readonly StepRow[]
): Promise<Set<string>> {
  const held = new Set(rows.filter((row) => isWorkedOn(release, row)).map(({ id }) => id))
  if (release.status !== 'active' || rows.length === 0) return held
  for (const { lifecycle } of releaseExtensions.all) {
    for (const id of (await lifecycle?.touched?.(scope, release)) ?? []) held.add(id)
  }
  return held
}

/**
 * Returns whether a step keeps its identity: a step of an active release that left `notStarted`,
 * was restarted, or has recorded facts or notes.
 */
export function isWorkedOn(
  release: Release,
  { status, attempt, facts, notes, type }: StepRow
): boolean {
  if (release.status !== 'active') return false
  return (
    status !== 'notStarted' ||
    attempt > 1 ||
    JSON.stringify(facts) !== JSON.stringify(neutralPart(type).facts) ||
    Object.keys(notes).length > 0
  )
}
