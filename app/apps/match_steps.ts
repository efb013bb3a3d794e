import type { ReleaseStepType } from '#workflow/vocabulary'

interface NamedStep {
  name: string
  archetype: ReleaseStepType
}

/**
 * Matches the steps of one workflow to those of another: first by name and archetype, otherwise the
 * first of the same archetype that would be removed. So a renamed step keeps its identity, its
 * items and its history. A step with the same name but another archetype is a different step,
 * because the records of the old one do not apply to the new one.
 */
export function matchSteps<Before extends NamedStep, After extends NamedStep>(
  before: readonly Before[],
  after: readonly After[]
): Map<After, Before> {
  const byName = new Map(before.map((step) => [step.name, step]))
  const matched = new Map<After, Before>()
  for (const step of after) {
    const same = byName.get(step.name)
    if (same?.archetype === step.archetype) matched.set(step, same)
  }
  const spare = new Set(before)
  for (const step of matched.values()) spare.delete(step)
  for (const step of after) {
    if (matched.has(step)) continue
    const same = [...spare].find(({ archetype }) => archetype === step.archetype)
    if (!same) continue
    matched.set(step, same)
    spare.delete(same)
  }
  return matched
}
