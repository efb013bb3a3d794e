import type { Static } from '@sinclair/typebox'
import { AppStoreBuildEntity } from '#builds/entities'
import { described, list, nullable } from '#foundation/core/schemas'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseExtension } from '#releases/extensions'
import type { RolloutFacts } from '#releases/engine/facts'
import type { RunRow } from '#releases/queries/run_rows'
import { stepRows } from '#releases/queries/step_rows'
import { storeStepFacts, isStoreStep } from '../observations/store_step_facts.js'
import { beginInStores } from '../decisions/begin_in_stores.js'
import {
  AppStoreVersionData,
  RolloutStepRunData,
  StoreReleaseStepData,
  SubmissionStepRunData,
} from '../entities.js'
import { evidence } from './evidence.js'
import { expectedMoves } from '../queries/expected_moves.js'
import { closeInStores } from '../actions/stop_progress.js'
import { storeBuildEntity, storeBuildsById } from '../queries/store_builds.js'
import { flagChangesOf, healthInStores } from '../extensions.js'
import { phasedData } from '../queries/phased_data.js'
import {
  prefetchStores,
  plansOf,
  storesOfRelease,
  versionsOf,
  type StoreOfRelease,
} from '../queries/store_state.js'
import { exampleStorePlan } from '../examples.js'
import { storePlan, StorePlanEntity, type StorePlan } from './store_plan_entity.js'
import { stalledInStores } from '../queries/stalled_in_stores.js'
import { targetsOfStep } from '../queries/store_targets.js'
import { versionData } from '../queries/version_data.js'
import { BetaTestingStepRunData, betaTestingData } from '../testers/beta_testing_data.js'
import { planPairCheckOf } from '../pairs/plan_pair_check.js'
import { ReleasePairEntity, shownPair, type ReleasePair } from '../pairs/pair_entity.js'
import { pairExpects, pairWaits } from '../pairs/pair_waits.js'
import { leavePair } from '../pairs/part_releases.js'
import { watchStores } from '../observations/watch_stores.js'

type StoreBuild = Static<typeof AppStoreBuildEntity>

declare module '#releases/extensions' {
  interface ReleaseMembers {
    selectedBuild: StoreBuild | null
    appStoreVersions: Static<typeof AppStoreVersionData>[]
  }
  interface ReleaseDetailMembers {
    storePlans: StorePlan[]
    pair: ReleasePair | null
  }
}

const NOTHING = { appStoreVersion: null, selectedBuild: null }

/** The part of stores in a release. */
export const releaseExtension: ReleaseExtension = {
  name: 'stores',
  facts: {
    prefetch: (scope, { id }) => prefetchStores(scope, id),
  },
  lifecycle: {
    async adopt(scope, release, { isNew }) {
      if (isNew) await beginInStores(scope, release)
      await storeStepFacts(scope, release)
    },
    async planAhead(scope, release) {
      await watchStores(scope, release)
      await planPairCheckOf(scope, release)
    },
    closed: closeInStores,
    remove: leavePair,
  },
  presentation: {
    evidence,
    held: pairWaits,
    expected: async (scope, release) => [
      ...(await expectedMoves(scope, release)),
      ...(await pairExpects(scope, release)),
    ],
    stalled: stalledInStores,
    entity: {
      schema: {
        selectedBuild: nullable(
          described('Build to ship; null until one is selected.', AppStoreBuildEntity)
        ),
        appStoreVersions: list('The version as reported by each store.', AppStoreVersionData, 100),
      },
      async of(scope, releases) {
        const ids = releases.map(({ id }) => id)
        const [versions, plans] = await Promise.all([versionsOf(scope, ids), plansOf(scope, ids)])
        const chosen = plans.filter(({ buildId }) => buildId !== null)
        const builds = await buildsById(
          scope,
          chosen.map(({ buildId }) => buildId!)
        )
        return new Map(
          ids.flatMap((id) => {
            const own = versions.filter(({ releaseId }) => releaseId === id)
            const plan = chosen.find(({ releaseId }) => releaseId === id)
            if (own.length === 0 && !plan) return []
            const selectedBuild = builds.get(plan?.buildId ?? '') ?? null
            return [[id, { selectedBuild, appStoreVersions: own.map(versionData) }] as const]
          })
        )
      },
      none: { selectedBuild: null, appStoreVersions: [] },
    },
    detail: {
      schema: {
        storePlans: list(
          'Plan of the release for each store, and what the store shows.',
          StorePlanEntity,
          100
        ),
        pair: nullable(described('The release paired with it; null if none.', ReleasePairEntity)),
      },
      of: async (scope, release) => ({
        storePlans: (await storesOfRelease(scope, release)).map(storePlan),
        pair: await shownPair(scope, release),
      }),
      example: { storePlans: [exampleStorePlan], pair: null },
    },
    steps: {
      data: {
        submission: StoreReleaseStepData,
        storeReview: StoreReleaseStepData,
        takeoff: StoreReleaseStepData,
        rollout: StoreReleaseStepData,
      },
      async of(scope, release) {
        const stores = await storesOfRelease(scope, release)
        const builds = await chosenBuilds(scope, stores)
        const steps = stores.length > 1 ? await stepRows(scope, release.id) : []
        return {
          dataOf(step) {
            if (!isStoreStep(step.type)) return undefined
            const [store] = targetsOfStep(stores, step, steps)
            if (!store) return NOTHING
            const { version, plan } = store
            return {
              appStoreVersion: version && versionData(version),
              selectedBuild: builds.get(plan?.buildId ?? '') ?? null,
            }
          },
        }
      },
      example: { data: { submission: NOTHING } },
    },
    runs: {
      data: {
        betaTesting: BetaTestingStepRunData,
        submission: SubmissionStepRunData,
        rollout: RolloutStepRunData,
      },
      async dataOf(scope, run) {
        if (run.type === 'submission') return submissionData(scope, run)
        if (run.type === 'betaTesting') return betaTestingData(scope, run)
        return run.type === 'rollout' ? rolloutData(scope, run) : undefined
      },
    },
  },
}

async function buildsById(scope: Scope, ids: readonly string[]): Promise<Map<string, StoreBuild>> {
  const rows = await storeBuildsById(scope, ids)
  return new Map(rows.map((row) => [row.id, storeBuildEntity(row)]))
}

const chosenBuilds = (scope: Scope, stores: readonly StoreOfRelease[]) =>
  buildsById(
    scope,
    stores.flatMap(({ plan }) => plan?.buildId ?? [])
  )

/** Returns the stores of a run; none if it is not the current run of its step. */
async function storesOfRun(scope: Scope, run: RunRow): Promise<StoreOfRelease[]> {
  const steps = await stepRows(scope, run.releaseId)
  const step = steps.find(({ runId }) => runId === run.id)
  if (!step) return []
  const release = await scope.table('releases').where('id', run.releaseId).select('app_id').first()
  const appId = (release as { app_id: string }).app_id
  return targetsOfStep(await storesOfRelease(scope, { id: run.releaseId, appId }), step, steps)
}

async function submissionData(scope: Scope, run: RunRow) {
  const stores = await storesOfRun(scope, run)
  const submitted = stores.flatMap(({ facts }) => facts.dates.submittedAt ?? [])
  return {
    selectedBuilds: [...(await chosenBuilds(scope, stores)).values()],
    submittedAt: submitted.sort()[0] ?? null,
    submissionId: stores.flatMap(({ version }) => version?.seen.submissionId ?? [])[0] ?? null,
  }
}

/**
 * Returns the version that replaced this one. It may become known later than the replacement,
 * because both versions are not read at the same moment.
 */
const replacedBy = (stores: readonly StoreOfRelease[]) =>
  stores.flatMap(({ facts }) => facts.rollout.replacedBy ?? [])[0]

async function rolloutData(scope: Scope, run: RunRow) {
  const facts = run.facts as Partial<RolloutFacts>
  const { state = null, percentage = 0, nextStage = null } = facts
  const stores = await storesOfRun(scope, run)
  const [store] = stores
  const integrationIds = stores.map(({ target }) => target.integrationId)
  const by = replacedBy(stores) ?? facts.replacedBy ?? null
  return {
    phased: phasedData({ state, percentage, nextStage, replacedBy: by }, store ?? null),
    adoption: null,
    health: await healthInStores(scope, run.releaseId, integrationIds),
    flagChanges: await flagChangesOf(scope, run.releaseId),
  }
}
