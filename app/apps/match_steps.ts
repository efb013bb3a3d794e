import type { ReleaseStepType } from '#workflow/vocabulary'

interface NamedStep {
  name: string
  archetype: ReleaseStepType
}

/**
 * Matches the steps of two workflows: by name and archetype, otherwise the first remaining one of
 * the archetype. So a renamed step keeps its items and its history, while another archetype under
 * the same name is another step: records of one do not apply to the other.
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
