import { refuseFields, type ProblemPlace } from '#foundation/core/problems/problem'

export interface Targets {
  targetKickoffAt: string | null
  targetSubmitAt: string | null
  targetReleaseAt: string | null
}

/** @throws invalid_input unless the order of the dates is kickoff, submission, release */
export function requireTargetOrder(targets: Targets): void {
  const given = (['targetKickoffAt', 'targetSubmitAt', 'targetReleaseAt'] as const).flatMap(
    (name) => (targets[name] === null ? [] : [{ name, at: targets[name] }])
  )
  const broken: ProblemPlace[] = []
  for (const [index, { name, at }] of given.entries()) {
    const before = given[index - 1]
    if (!before || before.at <= at) continue
    broken.push({
      pointer: `/${name}`,
      code: 'target_order',
      message: `${name} must not be before ${before.name}.`,
    })
  }
  if (broken.length > 0) throw refuseFields(broken)
}
