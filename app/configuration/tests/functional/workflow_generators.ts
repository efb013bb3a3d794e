import fc from 'fast-check'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { WrittenStep, WrittenWorkflow } from './workflow_oracle.js'

/*
 * Generates workflows as people write them, and the changes people make to them: mostly small ones.
 */

/** Step positions. A second step of an archetype has its name with a 2. */
const MOVABLE = [
  'regressionTesting',
  'regressionTesting2',
  'approvals',
  'approvals2',
  'metadata',
  'screenshots',
  'betaTesting',
  'submission',
  'takeoff',
] as const satisfies (ReleaseStepType | `${ReleaseStepType}2`)[]

const archetypeOf = (name: string) => name.replace(/\d/, '') as ReleaseStepType

/** Possible names of the steps of an archetype, if their names may change. */
export const NAMES: Partial<Record<ReleaseStepType, readonly string[]>> = {
  regressionTesting: ['regressionTesting', 'regressionTesting2', 'regressionTesting3'],
  approvals: ['approvals', 'approvals2', 'approvals3'],
  metadata: ['metadata', 'metadata2'],
}

/** Selects names for the steps of an archetype. */
const namesFor = fc.record({
  regressionTesting: fc.shuffledSubarray([...NAMES.regressionTesting!], { minLength: 3 }),
  approvals: fc.shuffledSubarray([...NAMES.approvals!], { minLength: 3 }),
  metadata: fc.shuffledSubarray([...NAMES.metadata!], { minLength: 2 }),
})

/**
 * Generates workflows: kickoff first, submission before takeoff, everything else in any order and
 * any groups.
 */
export const workflow: fc.Arbitrary<WrittenWorkflow> = fc
  .tuple(
    fc.shuffledSubarray([...MOVABLE], { minLength: 1 }),
    fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 3 })), {
      minLength: MOVABLE.length,
      maxLength: MOVABLE.length,
    }),
    fc.option(namesFor, { freq: 2 })
  )
  .map(([places, dice, renamed]) => {
    const order: string[] = places.map((place) => {
      const archetype = archetypeOf(place) as keyof NonNullable<typeof renamed>
      return renamed?.[archetype]?.[place.endsWith('2') ? 1 : 0] ?? place
    })
    const gates = ['submission', 'takeoff'].filter((each) => order.includes(each))
    let gate = 0
    const names = order.map((each) => (gates.includes(each) ? gates[gate++] : each))
    const groups: WrittenStep[][] = [[{ name: 'kickoff', archetype: 'kickoff', required: true }]]
    for (const [index, name] of names.entries()) {
      const [startsGroup, chance] = dice[index]
      if (startsGroup) groups.push([])
      groups.at(-1)!.push({ name, archetype: archetypeOf(name), required: chance > 0 })
    }
    return groups
  })

/** A small change of a workflow. `pick` selects the affected step. */
export const tweak = fc.record({
  kind: fc.constantFrom('rename', 'swap', 'drop', 'putBack' as const),
  pick: fc.nat(30),
})
export type Tweak = typeof tweak extends fc.Arbitrary<infer Value> ? Value : never

const isGate = ({ name }: WrittenStep) =>
  ['kickoff', 'submission', 'takeoff', 'betaTesting'].includes(name)

/**
 * Returns a workflow after a small change: a step gets an unused name, two steps swap places, one
 * is removed, or a removed one is put back where possible.
 * @param gone removed steps in order of removal; a step that is put back is taken out
 */
export function tweaked(
  present: WrittenWorkflow,
  gone: WrittenStep[],
  { kind, pick }: Tweak
): WrittenWorkflow {
  const steps = present.flat()
  const movable = steps.filter((step) => !isGate(step))
  const chosen = movable[pick % Math.max(1, movable.length)] as WrittenStep | undefined
  const replaced = (by: (step: WrittenStep) => WrittenStep[]) =>
    present.map((group) => group.flatMap(by)).filter((group) => group.length > 0)
  if (kind === 'putBack') {
    const back = gone.pop()
    if (!back || steps.some(({ name }) => name === back.name)) return present
    const at = pick % present.length
    return present.map((group, index) => (index === at ? [...group, back] : group))
  }
  if (!chosen) return present
  if (kind === 'drop') {
    gone.push(chosen)
    return replaced((step) => (step === chosen ? [] : [step]))
  }
  if (kind === 'rename') {
    const free = NAMES[chosen.archetype]?.find((name) => steps.every((step) => step.name !== name))
    return replaced((step) => [step === chosen && free ? { ...step, name: free } : step])
  }
  const other = movable[(pick + 1) % movable.length]
  return replaced((step) => [step === chosen ? other : step === other ? chosen : step])
}
