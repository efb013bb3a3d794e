import { storeKindOfApp } from '#apps/queries/app_summary'
import type { Scope } from '#foundation/core/scope'
import { peopleOf, personName } from '#organizations/queries/people'
import { neutralPart, type ReleaseFacts, type StepFacts, type StepPart } from '../engine/facts.js'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { releaseExtensions } from '../extensions.js'
import type { ReleaseRow } from './read_release.js'
import { stepRows, type StepRow } from './step_rows.js'

/** The facts of steps from extensions, by the type of the steps. */
type GivenOfSteps = ReadonlyMap<ReleaseStepType, StepPart['facts']>

/** All facts that the status of a release is derived from, and the stored steps. */
export interface ReleaseState {
  facts: ReleaseFacts
  steps: readonly StepRow[]
  /** The facts to store with the current runs of steps. */
  given: GivenOfSteps
}

/** Reads the steps of a release, and the facts of its extensions. */
export async function loadFacts(scope: Scope, release: ReleaseRow): Promise<ReleaseState> {
  for (const extension of releaseExtensions.all) extension.facts?.prefetch?.(scope, release)
  const [steps, added, given] = await Promise.all([
    stepRows(scope, release.id),
    extensionFacts(scope, release),
    factsOfSteps(scope, release),
  ])
  const { pilotId } = release
  const pilot = pilotId ? (await peopleOf(scope, [pilotId])).get(pilotId) : undefined
  // An imported release is over, even if nobody knows since when.
  const past = release.imported ? release.createdAt : null
  const own: ReleaseFacts = {
    storeKind: await storeKindOfApp(scope, release.appId),
    releaseType: release.releaseType,
    createType: release.createType,
    kickedOffAt: release.kickedOffAt,
    submittedAt: release.submittedAt,
    approvedAt: release.approvedAt,
    releasedAt: release.releasedAt ?? past,
    completedAt: release.completedAt ?? past,
    skippedAt: release.skippedAt,
    statusBeforeSkip: release.statusBeforeSkip,
    targets: {
      kickoffAt: release.targetKickoffAt,
      submitAt: release.targetSubmitAt,
      releaseAt: release.targetReleaseAt,
    },
    pilot: pilot ? { id: pilot.id, name: personName(pilot) } : null,
    automations: [],
    reminders: [],
    steps: steps.map((step) => stepFacts(step, given)),
    items: [],
  }
  return { steps, facts: { ...own, ...added }, given }
}

/** Returns the facts of a release's extensions, as they are stored now. */
async function extensionFacts(scope: Scope, release: ReleaseRow): Promise<Partial<ReleaseFacts>> {
  const given = await Promise.all(
    releaseExtensions.all.map(({ facts }) => facts?.of?.(scope, release))
  )
  return Object.assign({}, ...given) as Partial<ReleaseFacts>
}

async function factsOfSteps(scope: Scope, release: ReleaseRow): Promise<GivenOfSteps> {
  const given = await Promise.all(
    releaseExtensions.all.map(({ facts }) => facts?.ofSteps?.(scope, release) ?? [])
  )
  return new Map(given.flat().map(({ type, facts }) => [type, facts]))
}

function stepFacts({ type, ...row }: StepRow, given: GivenOfSteps): StepFacts {
  return {
    id: row.id,
    stepConfigId: row.stepConfigId,
    name: row.name,
    groupIndex: row.groupIndex,
    position: row.position,
    required: row.required,
    destinationId: row.destinationId,
    run: { id: row.runId, attempt: row.attempt },
    type,
    facts: { ...neutralPart(type).facts, ...row.facts, ...given.get(type) },
  } as StepFacts
}
