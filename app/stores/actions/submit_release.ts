import { helpOn } from '#foundation/core/problems/catalog'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { Assessment } from '#releases/engine/assessment'
import { assessSteps, statusesOf } from '#releases/engine/evaluate'
import type { ReleaseFacts } from '#releases/engine/facts'
import { missingBeforeSubmission } from '#releases/engine/readiness'
import { restartStep } from '#releases/lifecycle/restart_steps'
import type Release from '#releases/models/release'
import { loadFacts } from '#releases/queries/load_facts'
import { stepRows } from '#releases/queries/step_rows'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { MAX_MISSING } from '../problems.js'
import { approvedOf, reviewedOf, standingIn, unsubmittedOf } from '../decisions/possible.js'
import { isUsable, storeBuildsById } from '../queries/store_builds.js'
import type { StoreOfRelease } from '../queries/store_state.js'
import { targetsOfStep } from '../queries/store_targets.js'
import { appStoreVersions } from '../tables.js'
import { decideInStore } from '../decisions/decide_in_store.js'
import { submissionOf } from '../queries/submission_of.js'
import { decideStage } from '../reconciler/decide.js'
import { requireIdle, requireNotOver, requireNotStopped, requireStores } from './require_store.js'

/** States after which another submission is a resubmission: the steps then start another run. */
const RESUBMITTED_STATES: readonly (string | undefined)[] = [
  'rejected',
  'metadataRejected',
  'invalidBinary',
  'developerRejected',
]

interface SubmitOptions {
  /** Submits although required steps are incomplete. */
  isForced?: boolean
  /** Only the stores of this run of a submission step. */
  stepRunId?: string
}

/**
 * Decides to submit a release for review, to all of its stores or to those of one step. A worker
 * calls the stores.
 */
export class SubmitRelease {
  constructor(private readonly scope: Scope) {}

  /**
   * @throws release_completed, release_skipped, release_not_kicked_off, integration_missing,
   * release_submitted, store_busy, rollout_stopped, steps_incomplete, no_build_selected,
   * build_unusable; for a run not_found, step_type_mismatch, step_run_superseded
   */
  async handle(release: Release, { isForced = false, stepRunId }: SubmitOptions = {}) {
    const { scope } = this
    const run = stepRunId === undefined ? null : { stepRunId, types: ['submission'] as const }
    const stores = await requireStores(scope, release, run)
    await requireNotOver(scope, release, stores)
    if (release.kickedOffAt === null) {
      throw refuse('release_not_kicked_off', {
        detail: `The release ${release.version} is not kicked off.`,
        remedy: helpOn('release_not_kicked_off'),
        ...(await standingIn(scope, release, stores)),
      })
    }
    await requireIdle(scope, release, stores)
    const open = await requireUnsubmitted(scope, release, stores)
    await requireNotStopped(scope, release, open)
    if (!isForced) await this.#requireSteps(release, stores, stepRunId)
    await this.#requireBuilds(release, open)
    await this.#restartRuns(release, stores, open)
    for (const { target, version, plan } of open) {
      // Observations of an earlier submission do not apply to this one.
      if (version) {
        const none = { submittedAt: null, approvedAt: null }
        await scope.update(appStoreVersions, { id: version.id }, none)
      }
      const state = version?.known?.state
      const saw = RESUBMITTED_STATES.includes(state) ? { saw: state } : {}
      const how = await submissionOf(scope, release, { target, plan })
      const by = { by: scope.actor, at: scope.now }
      await decideInStore(scope, release, target, (record, name) =>
        decideStage(record, name, { what: 'submitted', how, ...by, ...saw })
      )
    }
    recordReleaseEvent(scope, release, {
      type: 'store.asked',
      title: `${release.version} is being submitted for review`,
      data: { what: 'submitted', destinationIds: open.map(({ destinationId }) => destinationId) },
      payload: null,
    })
    scope.touch(release)
  }

  /** @throws steps_incomplete with the unmet conditions of each step; cherry_picks_open */
  async #requireSteps(
    release: Release,
    stores: readonly StoreOfRelease[],
    stepRunId: string | undefined
  ): Promise<void> {
    const { facts } = await loadFacts(this.scope, release)
    const assessments = assessSteps(facts)
    const onlyStep = facts.steps.find(({ run }) => run.id === stepRunId)
    const missing = missingBeforeSubmission(facts, statusesOf(assessments), onlyStep)
    if (missing.length === 0) return this.#requirePicks(release, facts, stores)
    const names = missing.map(({ name }) => name).join(', ')
    const named = `These required steps are still open: ${names}`.slice(0, 2000)
    const { currentStatus, allowedActions } = await standingIn(this.scope, release, stores)
    throw refuse('steps_incomplete', {
      detail: `${named}.`,
      remedy: 'Complete them, or submit it anyway with force=true.',
      currentStatus,
      allowedActions: [...allowedActions.filter((each) => each !== 'submit'), 'force'],
      members: {
        incompleteSteps: missing.map(({ id: stepId, stepConfigId, name }) => ({
          stepId,
          stepConfigId,
          name,
          missing: missingText(assessments.get(stepId)),
        })),
      },
    })
  }

  /** @throws cherry_picks_open with the commits that are not on the branch */
  async #requirePicks(
    release: Release,
    { picks = [] }: ReleaseFacts,
    stores: readonly StoreOfRelease[]
  ): Promise<void> {
    if (picks.length === 0) return
    const { currentStatus, allowedActions } = await standingIn(this.scope, release, stores)
    throw refuse('cherry_picks_open', {
      detail: `These requested cherry-picks are not in the release: ${picks.map(({ commit }) => commit).join(', ')}.`,
      currentStatus,
      allowedActions: [...allowedActions.filter((each) => each !== 'submit'), 'force'],
    })
  }

  /** @throws no_build_selected, build_unusable */
  async #requireBuilds(release: Release, stores: readonly StoreOfRelease[]): Promise<void> {
    const ids = stores.flatMap(({ plan }) => plan?.buildId ?? [])
    if (ids.length < stores.length) {
      throw refuse('no_build_selected', {
        detail: `No build of ${release.version} is selected for ${stores.length > 1 ? 'each of its stores' : 'its store'}.`,
        remedy: helpOn('no_build_selected'),
        ...(await standingIn(this.scope, release, stores)),
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

  /** Starts another run of the submission and review steps of stores that are resubmitted to. */
  async #restartRuns(
    release: Release,
    stores: readonly StoreOfRelease[],
    open: readonly StoreOfRelease[]
  ): Promise<void> {
    const resubmitted = open.filter(({ version }) =>
      RESUBMITTED_STATES.includes(version?.known?.state)
    )
    if (resubmitted.length === 0) return
    const steps = await stepRows(this.scope, release.id)
    for (const step of steps) {
      if (step.type !== 'submission' && step.type !== 'storeReview') continue
      if (targetsOfStep(stores, step, steps).some((store) => resubmitted.includes(store))) {
        await restartStep(this.scope, release, step)
      }
    }
  }
}

/**
 * Returns the stores that do not have the version yet.
 * @throws release_submitted if all have
 */
async function requireUnsubmitted(
  scope: Scope,
  release: Release,
  stores: readonly StoreOfRelease[]
): Promise<StoreOfRelease[]> {
  const open = unsubmittedOf(stores)
  if (open.length > 0) return open
  const is = approvedOf(stores).length > 0 ? 'approved' : 'with users'
  const remedy =
    reviewedOf(stores).length > 0
      ? 'Withdraw it first to submit it again.'
      : `It is ${is}: further changes need another release.`
  throw refuse('release_submitted', {
    detail: `The release ${release.version} was submitted.`,
    remedy,
    ...(await standingIn(scope, release, stores)),
  })
}

/** Returns the unmet conditions of a step as text. */
function missingText(assessment: Assessment | undefined): string {
  const messages = (assessment?.unmet ?? []).map(({ message }) => message)
  return messages.join(' ').slice(0, MAX_MISSING) || 'It is not complete.'
}
