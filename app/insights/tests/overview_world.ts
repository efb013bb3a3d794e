import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { StoreInMemory } from '#stores/tests/memory_store'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeApp, type FixtureStep } from '#tests/support/app_fixture'
import { makeWorld, type World } from '#tests/support/world'
import type { ReleaseStepType } from '#workflow/vocabulary'

const TYPES: readonly ReleaseStepType[] = [
  'kickoff',
  'featureReadiness',
  'translations',
  'releaseCandidate',
  'regressionTesting',
  'betaTesting',
  'screenshots',
  'metadata',
  'approvals',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
]

const required = { required: true }

/** A whole workflow, in which screenshots are optional. */
const STEPS: readonly FixtureStep[] = TYPES.map((type) => ({
  type,
  releaseTypes: { standard: { required: type !== 'screenshots' }, hotfix: required },
}))

/** Makes an organization whose apps are in a store in memory, by custom CI. */
export async function manyApps(count: number) {
  const store = new StoreInMemory('google')
  await loadTestPlugins({ paper: async () => ({ default: store.plugin }) })
  const world = await makeWorld()
  const { id: provider } = await connect(world, 'memory-store')
  const { id: ci } = await connect(world, 'generic-ci')
  const apps: string[] = []
  for (let index = 0; index < count; index++) {
    const appId = await makeApp(world, { platform: 'android', steps: [...STEPS] })
    await world.write((scope) =>
      replaceIntegrations(scope, appId, [
        { key: 'store', type: 'google', kind: 'appStore', provider, data: {} },
        { key: 'ci', type: 'generic-ci', kind: 'ci', provider: ci, data: {} },
      ])
    )
    apps.push(appId)
  }
  return { world, store, apps }
}

/** Returns all pages of the overview, as the requester sees it. */
export async function overviewOf(
  { organizationId }: World,
  client: World['admin'],
  query = 'limit=200'
): Promise<any[]> {
  const { status, body, text } = await client.get(`/org/${organizationId}/overview?${query}`)
  if (status !== 200) throw new Error(text)
  return body.data
}

/** Members of an app in the overview that the app itself does not have. */
const OF_RELEASE = ['release', 'alsoActive'] as const

const picked = (whole: any, like: object, without: readonly string[] = []) =>
  Object.fromEntries(
    Object.keys(like)
      .filter((name) => !without.includes(name))
      .map((name) => [name, whole[name]])
  )

/**
 * Returns the same of an app as `getApp`, `getRelease`, `listReleaseSteps` and the others answer
 * it.
 */
export async function onlyReportedThere({ admin }: World, app: any) {
  const { id, release } = app
  const { body: own } = await admin.get(`/app/${id}`)
  const active = (await admin.get(`/v2/app/${id}/releases?status=active`)).body.data.reverse()
  const shown = {
    ...picked(own, app, OF_RELEASE),
    release: release && (await releaseAlone(admin, id, release)),
    alsoActive: active
      .filter((each: { id: string }) => each.id !== release?.id)
      .map((each: any) => picked(each, { id: 0, version: 0, releaseType: 0, phase: 0 })),
  }
  if (own.currentRelease && own.currentRelease.id !== release?.id) {
    throw new Error(`${own.currentRelease.id} is current, and ${release?.id} shown`)
  }
  return shown
}

async function releaseAlone(admin: World['admin'], appId: string, release: any) {
  const path = `/app/${appId}/release/${release.id}`
  const [whole, steps, why, rollout] = [
    (await admin.get(`/v2/app/${appId}/releases/${release.id}`)).body,
    (await admin.get(`${path}/steps`)).body,
    (await admin.get(`${path}/whyNotMoving`)).body,
    (await admin.get(`${path}/rollout`)).body,
  ]
  const { release: conditions, warnings, next, readyToSubmit, readyToRelease, phase } = why
  const verdicts = rollout.stores.flatMap(({ health }: any) =>
    health.map(({ verdict }: { verdict: string }) => verdict)
  )
  const worst = ['unhealthy', 'notEnoughData', 'healthy'].find((each) => verdicts.includes(each))
  return {
    ...picked(whole, release, ['steps', 'health', 'whyNotMoving']),
    ...{ readyToSubmit, readyToRelease, phase },
    steps: steps.map((step: any, index: number) => {
      const { stepId, unmet, warnings: ofStep, status } = why.steps[index]
      if (stepId !== step.id || status !== step.status) throw new Error(`Another step: ${stepId}`)
      const [store] = rollout.stores
      const isRolledOut = step.type === 'rollout' && store && store.phased.status !== 'notStarted'
      const { status: state, percentage } = store?.phased ?? {}
      return {
        ...picked(step, release.steps[index], ['unmet', 'warnings', 'rollout']),
        ...{ unmet, warnings: ofStep },
        rollout: isRolledOut ? { state, percentage } : null,
      }
    }),
    health: worst ?? null,
    whyNotMoving: { release: conditions, warnings, next },
  }
}
