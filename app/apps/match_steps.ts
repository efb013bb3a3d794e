import type { ReleaseStepType } from '#workflow/vocabulary'

interface NamedStep {
  name: string
  archetype: ReleaseStepType
}

/**
 * Which step of a workflow becomes which of another: that of its name and archetype, else the
 * first that would go of its archetype. So a new name keeps the step, its items and its history,
 * and another archetype under the same name is another step: what was recorded of the one says
 * nothing of the other.
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
