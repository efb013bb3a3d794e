import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { stateOf } from '#releases/demand_allowed'
import { demandOpen } from '#releases/demand_open'
import type { Assessment } from '#releases/engine/assessment'
import { assessSteps, statusesOf } from '#releases/engine/evaluate'
import { missingBeforeSubmission } from '#releases/engine/readiness'
import { restartStep } from '#releases/lifecycle/restart_steps'
import { settle } from '#releases/lifecycle/settle'
import type Release from '#releases/models/release'
import { loadFacts } from '#releases/queries/load_facts'
import { stepRows } from '#releases/queries/step_rows'
import { recordReleaseEvent } from '#releases/record_release_event'
import { carryStoreFacts } from '../carry_store_facts.js'
import { MOST_MISSING } from '../problems.js'
import { isUsable, storeBuildsById } from '../queries/store_builds.js'
import type { StoreOfRelease } from '../queries/store_state.js'
import { targetsOfStep } from '../queries/store_targets.js'
import { appStoreVersions } from '../tables.js'
import { wishVersion } from '../wish_store.js'
import { demandIdle, demandStores } from './demand_store.js'

/** After these a version goes to the store once more: its steps begin another run. */
const TAKEN_BACK: readonly (string | undefined)[] = [
  'rejected',
  'metadataRejected',
  'invalidBinary',
  'developerRejected',
]

interface SubmitOptions {
  /** Although required steps are not complete. */
  isForced?: boolean
  /** The run of a submission step whose stores alone are meant. */
  stepRunId?: string
}

/** Has a release submitted for review by a worker, to all of its stores or those of one step. */
export class SubmitRelease {
  constructor(private readonly scope: Scope) {}

  /**
   * @throws release_completed, release_skipped, release_not_kicked_off, integration_missing,
   * release_submitted, store_busy, steps_incomplete, no_build_selected, build_unusable; for a run
   * not_found, step_type_mismatch, step_run_superseded
   */
  async handle(release: Release, { isForced = false, stepRunId }: SubmitOptions = {}) {
    const { scope } = this
    const run = stepRunId === undefined ? null : { stepRunId, types: ['submission'] as const }
    const stores = await demandStores(scope, release, run)
    demandOpen(release)
    if (release.kickedOffAt === null) {
      throw refuse('release_not_kicked_off', {
        detail: `The release ${release.version} is not kicked off.`,
        ...stateOf(release),
      })
    }
    demandIdle(release, stores)
    const open = demandUnsubmitted(release, stores)
    if (!isForced) await this.#demandSteps(release, stepRunId)
    await this.#demandBuilds(release, open)
    await this.#restartRuns(release, stores, open)
    for (const { target, version } of open) {
      // What was seen of an earlier submission says nothing of this one.
      if (version) {
        const none = { submittedAt: null, approvedAt: null }
        await scope.update(appStoreVersions, { id: version.id }, none)
      }
      const state = version?.known?.state
      const saw = TAKEN_BACK.includes(state) ? state : undefined
      await wishVersion(scope, release, target, 'submitted', saw)
    }
    recordReleaseEvent(scope, release, {
      type: 'store.asked',
      title: `${release.version} is on its way to the store for review`,
      data: { what: 'submitted', destinationIds: open.map(({ destinationId }) => destinationId) },
      payload: null,
    })
    await carryStoreFacts(scope, release)
    await settle(scope, release)
  }

  /** @throws steps_incomplete with what each is missing */
  async #demandSteps(release: Release, stepRunId: string | undefined): Promise<void> {
    const { facts } = await loadFacts(this.scope, release)
    const assessments = assessSteps(facts)
    const gate = facts.steps.find(({ run }) => run.id === stepRunId)
    const missing = missingBeforeSubmission(facts, statusesOf(assessments), gate)
    if (missing.length === 0) return
    const names = missing.map(({ name }) => name).join(', ')
    throw refuse('steps_incomplete', {
      detail: `These required steps are not complete: ${names}.`.slice(0, 2000),
      ...stateOf(release),
      members: {
        incompleteSteps: missing.map(({ id: stepId, stepConfigId, name }) => ({
          stepId,
          stepConfigId,
          name,
          missing: whatIsMissing(assessments.get(stepId)),
        })),
      },
    })
  }

  /** @throws no_build_selected, build_unusable */
  async #demandBuilds(release: Release, stores: readonly StoreOfRelease[]): Promise<void> {
    const ids = stores.flatMap(({ plan }) => plan?.buildId ?? [])
    if (ids.length < stores.length) {
      throw refuse('no_build_selected', {
        detail: `No build of ${release.version} is selected for ${stores.length > 1 ? 'each of its stores' : 'its store'}.`,
        ...stateOf(release),
      })
    }
    for (const build of await storeBuildsById(this.scope, ids)) {
      if (isUsable(build)) continue
      const state = (build.known ?? build.beta)?.state ?? 'unknown'
      throw refuse('build_unusable', {
        detail: `The build ${build.buildNumber} is ${state} in the store.`,
      })
    }
  }

  /** A resubmission is another run of submission and review. */
  async #restartRuns(
    release: Release,
    stores: readonly StoreOfRelease[],
    open: readonly StoreOfRelease[]
  ): Promise<void> {
    const again = open.filter(({ version }) => TAKEN_BACK.includes(version?.known?.state))
    if (again.length === 0) return
    const steps = await stepRows(this.scope, release.id)
    for (const step of steps) {
      if (step.type !== 'submission' && step.type !== 'storeReview') continue
      if (targetsOfStep(stores, step, steps).some((store) => again.includes(store))) {
        await restartStep(this.scope, release, step)
      }
    }
  }
}

/** Those that have not got it yet. @throws release_submitted where all have */
function demandUnsubmitted(release: Release, stores: readonly StoreOfRelease[]): StoreOfRelease[] {
  const open = stores.filter(
    ({ facts }) => !facts.submission.submitted || facts.storeReview.state === 'rejected'
  )
  if (open.length > 0) return open
  throw refuse('release_submitted', {
    detail: `The release ${release.version} was submitted.`,
    ...stateOf(release),
  })
}

/** What a step lacks, for people. */
function whatIsMissing(assessment: Assessment | undefined): string {
  const messages = (assessment?.unmet ?? []).map(({ message }) => message)
  return messages.join(' ').slice(0, MOST_MISSING) || 'It is not complete.'
}
