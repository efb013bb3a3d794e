import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { DEFAULT_APP_STORE_RELEASE_SETTINGS } from '#apps/settings'
import { replaceIntegrations } from '#integrations/store_integrations'
import { advanceWorld } from '#simulation/actions/advance_world'
import { StartWorld } from '#simulation/actions/start_world'
import { lockWorld } from '#simulation/queries/find_world'
import { workThrough } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { yaml } from '#tests/support/requests'
import { makeWorld } from '#tests/support/world'
import { DAY, HOUR } from '#foundation/core/durations'
import { linkTo } from '../session/tests/browser.js'

const STEPS = [
  'kickoff',
  'releaseCandidate',
  'regressionTesting',
  'approvals',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
] as const

const NAMES = {
  kickoff: 'Kickoff',
  releaseCandidate: 'Candidate',
  regressionTesting: 'Regression testing',
  approvals: 'Approvals',
  submission: 'Submission',
  storeReview: 'Review',
  takeoff: 'Takeoff',
  rollout: 'Rollout',
} as const

const BUNDLE = { bundleId: 'com.acme.shop' }

/**
 * Makes an organization whose app has a simulated CI system and App Store, and no releases yet. The
 * `link` signs in the first admin.
 */
export async function makeSimulatedApp(scenario = 'happy-train') {
  const world = await makeWorld('Acme')
  const { admin, organizationId } = world
  const secrets = await app.container.make('integrations.secrets')
  const { connections } = await world.write((scope) =>
    new StartWorld(scope, secrets).handle({ alias: null, seed: 'train' })
  )
  const scenarioPath = `/org/${organizationId}/simulatedWorld/scenario`
  const loaded = await admin.put(scenarioPath, undefined, yaml(scenario))
  if (loaded.status !== 200) throw new Error(loaded.text)
  const providerOf = (plugin: string) => connections.find(({ pluginId }) => pluginId === plugin)!.id
  const appId = await makeApp(world, {
    steps: STEPS.map((type) => ({
      type,
      name: NAMES[type],
      releaseTypes: { standard: { required: true } },
    })),
  })
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [
      {
        key: 'ci',
        type: 'sim-ci',
        kind: 'ci',
        provider: providerOf('sim'),
        data: { workflowId: 'release' },
      },
      {
        key: 'store',
        type: 'sim-apple',
        kind: 'appStore',
        data: BUNDLE,
        provider: providerOf('sim-apple'),
      },
    ])
  )
  await db
    .from('apps')
    .where('id', appId)
    .update({
      name: 'Acme Shop',
      app_store_release_settings: JSON.stringify({
        ...DEFAULT_APP_STORE_RELEASE_SETTINGS,
        phasedReleaseEnabled: true,
      }),
    })
  for (const title of ['Log in with a passkey', 'Check out']) {
    await admin.post(`/app/${appId}/regressionItem`, { title })
  }
  await admin.post(`/app/${appId}/approval`, { title: 'Legal agrees' })
  /** Runs the due jobs twice, which takes longer than the lag of the store's lists. */
  const runJobs = async () => {
    for (let turn = 0; turn < 2; turn++) await workThrough(organizationId, 2)
  }
  return {
    world,
    appId,
    runJobs,
    org: `/dashboard/org/${organizationId}`,
    link: await linkTo(world, { userId: null, admin: true }),
    /** Sets the release branch, which a git host would have created. */
    setReleaseBranch: (name: string) =>
      db.from('releases').where('app_id', appId).update({ release_branch: name }),
    /** Advances the simulated world, and lets the service observe the changes. */
    async advance(span: { hours?: number; days?: number }) {
      const milliseconds = (span.hours ?? 0) * HOUR + (span.days ?? 0) * DAY
      await world.write(async (scope) => advanceWorld(scope, await lockWorld(scope), milliseconds))
      await runJobs()
    },
  }
}

export type SimulatedApp = Awaited<ReturnType<typeof makeSimulatedApp>>
