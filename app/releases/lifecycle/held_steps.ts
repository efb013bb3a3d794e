import type { Scope } from '#foundation/core/scope'
import { neutralPart } from '../engine/facts.js'
import type Release from '../models/release.js'
import { releaseExtensions } from '../extensions.js'
import type { StepRow } from '../queries/step_rows.js'

/**
 * Returns the ids of the steps that a release keeps even if its workflow drops them: steps that
 * somebody worked on, or that hold touched data. An upcoming release keeps none, because it follows
 * its workflow entirely.
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
 * Returns whether work has begun on a step: its release is active, and the step has left
 * `notStarted`, was restarted, or has recorded facts or notes.
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
