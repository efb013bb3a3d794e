import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { requireOpen } from '#releases/preconditions/require_open'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { storeStepFacts } from '../observations/store_step_facts.js'
import { changePlan, planOf } from '../decisions/change_plan.js'
import { chooseNewest } from '../builds/choose_build.js'
import { storeBuildsById, type StoreBuildRow } from '../queries/store_builds.js'
import { standingIn, unsubmittedOf } from '../decisions/possible.js'
import type { StoreOfRelease } from '../queries/store_state.js'
import type { SelectBuildsInput } from '../validators/store_input.js'
import { requireIdle, requireStores } from './require_store.js'

/** Given instead of an id, to let the service choose again. */
const LATEST = 'latest'

interface Selection {
  store: StoreOfRelease
  build: StoreBuildRow | null
  /** The service chooses: the newest build, now and when newer ones arrive. */
  isLatest: boolean
}

/** Chooses the builds that a release ships; a person's choice stays when newer builds arrive. */
export class SelectBuilds {
  constructor(private readonly scope: Scope) {}

  /**
   * @throws not_found, step_type_mismatch, step_run_superseded, integration_missing,
   * release_completed, release_skipped, release_submitted, store_busy, invalid_input
   */
  async handle(release: Release, stepRunId: string, input: SelectBuildsInput): Promise<void> {
    const { scope } = this
    const errors = new InputErrors()
    const selections = await this.check(release, stepRunId, input, errors)
    errors.throwIfAny()
    let changes = false
    for (const { store, build, isLatest } of selections) {
      const { plan, target } = store
      if (isLatest) {
        changes = (await this.#chooseAgain(release, store, stepRunId)) || changes
        continue
      }
      const buildId = build?.id ?? null
      if (plan?.byHand && plan.buildId === buildId) continue
      changes = true
      await changePlan(scope, release.id, target, { buildId, byHand: true })
      recordReleaseEvent(scope, release, {
        type: 'build.selected',
        title: build
          ? `Build ${build.buildNumber} was selected for ${release.version}`
          : `No build is selected for ${release.version} any more`,
        data: { appStoreBuildId: buildId, destinationId: store.destinationId, stepRunId },
        payload: null,
      })
    }
    if (!changes) return
    await storeStepFacts(scope, release)
    scope.touch(release)
  }

  /** Drops the choice of a person. @returns whether there was one */
  async #chooseAgain(
    release: Release,
    { plan, target, destinationId }: StoreOfRelease,
    stepRunId: string
  ): Promise<boolean> {
    const { scope } = this
    if (!plan?.byHand) return false
    await changePlan(scope, release.id, target, { byHand: false })
    await chooseNewest(scope, release, target)
    const after = await planOf(scope, release.id, target.integrationId)
    recordReleaseEvent(scope, release, {
      type: 'build.selected',
      title: `The newest build of ${release.version} is selected automatically again`,
      data: { appStoreBuildId: after?.buildId ?? null, destinationId, stepRunId },
      payload: null,
    })
    return true
  }

  /**
   * Adds a fault for each build that cannot be selected.
   * @returns the valid selections
   */
  async check(
    release: Release,
    stepRunId: string,
    input: PartiallyValid<SelectBuildsInput>,
    errors: InputErrors
  ): Promise<Selection[]> {
    const { scope } = this
    const run = { stepRunId, types: ['submission'] as const }
    const stores = await requireStores(scope, release, run)
    requireOpen(release)
    await requireIdle(scope, release, stores)
    const given = (input.builds ?? []).map((each, index) => ({ each, index }))
    const named = given.flatMap(({ each }) => storeOf(stores, each?.destinationId ?? null) ?? [])
    await requireUnsubmitted(scope, release, named)
    const ids = given.flatMap(({ each }) => each?.appStoreBuildId ?? [])
    const builds = new Map((await storeBuildsById(scope, ids)).map((build) => [build.id, build]))
    const seen = new Set<string>()
    return given.flatMap(({ each, index }): Selection[] => {
      if (!each) return []
      const at = `/builds/${index}`
      const store = storeOf(stores, each.destinationId ?? null)
      if (!store) {
        const message = 'The step has no such destination.'
        errors.add({ pointer: `${at}/destinationId`, code: 'unknown_destination', message })
        return []
      }
      if (seen.has(store.target.integrationId)) {
        const message = 'The destination is listed twice.'
        errors.add({ pointer: `${at}/destinationId`, code: 'unique', message })
        return []
      }
      seen.add(store.target.integrationId)
      if (each.appStoreBuildId === undefined) return []
      if (each.appStoreBuildId === LATEST) return [{ store, build: null, isLatest: true }]
      const build = each.appStoreBuildId === null ? null : builds.get(each.appStoreBuildId)
      const fault = build === null ? null : faultOf(release, store, build)
      if (fault) {
        const [code, message] = fault
        errors.add({ pointer: `${at}/appStoreBuildId`, code, message })
        return []
      }
      return [{ store, build: build ?? null, isLatest: false }]
    })
  }
}

/** Finds the store of a destination; null also finds the only store of the step. */
function storeOf(stores: readonly StoreOfRelease[], destinationId: string | null) {
  const named = stores.find((store) => store.destinationId === destinationId)
  return named ?? (destinationId === null && stores.length === 1 ? stores[0] : undefined)
}

/** Returns why a build cannot be selected; null if it can. */
function faultOf(
  release: Release,
  { destinationId }: StoreOfRelease,
  build: StoreBuildRow | undefined
): [code: string, message: string] | null {
  if (!build || build.releaseId !== release.id) {
    return ['unknown_build', `There is no such build of ${release.version}.`]
  }
  if (build.destinationId !== destinationId) {
    return ['wrong_destination', `The build ${build.buildNumber} is for another destination.`]
  }
  const state = (build.known ?? build.beta)?.state
  if (state === 'expired' || state === 'invalid') {
    return [state, `The build ${build.buildNumber} is ${state} in the store.`]
  }
  return null
}

async function requireUnsubmitted(
  scope: Scope,
  release: Release,
  stores: readonly StoreOfRelease[]
): Promise<void> {
  if (unsubmittedOf(stores).length === stores.length) return
  throw refuse('release_submitted', {
    detail: `The release ${release.version} was submitted with its build.`,
    ...(await standingIn(scope, release, stores)),
  })
}
