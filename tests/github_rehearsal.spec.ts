import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { sampleScenario } from '@tarmac/plugin-github/fake'
import { SimAdvance } from '#simulation/commands/sim_advance'
import { SimStart } from '#simulation/commands/sim_start'
import { unitOfWork } from '#foundation/core/services'
import { replaceIntegrations } from '#integrations/store_integrations'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { connect } from '#integrations/tests/support/connect'
import { useIntegration } from '#integrations/use_integration'
import { tidy, workThrough } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { runCommand } from '#tests/support/console'
import { loadTestPlugins } from '#tests/support/plugins/index'
import {
  credentials,
  integrationsOf,
  makeGitHub,
  reached,
  restarted,
  setBranches,
} from '#tests/support/github'
import { yaml } from '#tests/support/requests'
import { makeWorld } from '#tests/support/world'

/*
 * An Android release whose code and builds are at GitHub and whose store is simulated. GitHub is
 * unreachable, loses answers and restarts on the way; everything happens exactly once.
 */

const STEPS = [
  'kickoff',
  'releaseCandidate',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
] as const
const required = { required: true }
const BUNDLE = { bundleId: 'com.acme.shop' }
const VERSION = '1.1.0'

async function makeRehearsal() {
  const github = (reached.github = makeGitHub())
  github.seed(sampleScenario())
  // Replaces a test plugin that has the same integration types.
  await loadTestPlugins({ paper: () => import('@tarmac/plugin-github') })
  const world = await makeWorld()
  const { admin, organizationId } = world
  const org = `--org=${organizationId}`
  const { document } = await runCommand(SimStart, [org])
  await admin.put(`/org/${organizationId}/simulatedWorld/scenario`, undefined, yaml('happy-train'))
  const simulated = (plugin: string) =>
    document.connections.find((each: { plugin: string }) => each.plugin === plugin).id
  const appId = await makeApp(world, {
    platform: 'android',
    steps: STEPS.map((type) => ({ type, releaseTypes: { standard: required } })),
  })
  const { id: provider } = await connect(world, 'github', { credentials })
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [
      ...integrationsOf(provider),
      {
        ...{ key: 'store', type: 'sim-google', kind: 'appStore' as const, data: BUNDLE },
        provider: simulated('sim-google'),
      },
      // Plays the last step of the GitHub workflow, which uploads the bundle to the store.
      {
        ...{ key: 'upload', type: 'sim-ci', kind: 'ci' as const, data: { workflowId: 'release' } },
        provider: simulated('sim'),
      },
    ])
  )
  await setBranches(appId)
  await admin.put(`/app/${appId}/automations`, { type: 'tagOnRelease', enabled: true })
  await admin.post(`/app/${appId}/release`, { version: VERSION })
  const path = `/app/${appId}/release/${appId}:${VERSION}`
  const work = () => workThrough(organizationId, 2)
  const step = async (wanted: string) => {
    const { body } = await admin.get(`${path}/steps`)
    return body.find(({ type }: { type: string }) => type === wanted)
  }
  return {
    ...{ world, admin, appId, path, work, step, github },
    release: async () => (await admin.get(`/v2/app/${appId}/releases/${appId}:${VERSION}`)).body,
    async advance(span: string) {
      const { code, stderr } = await runCommand(SimAdvance, [span, org])
      if (code !== 0) throw new Error(stderr)
      await work()
      await work()
    },
    /** Uploads the build to the store, as the workflow at GitHub does. */
    async upload() {
      const scope = unitOfWork.readScope(world.principal)
      const { id } = (await integrationEntities(scope, appId)).find(
        ({ alias }) => alias === 'upload'
      )!
      const services = {
        secrets: await app.container.make('integrations.secrets'),
        caller: await app.container.make('integrations.caller'),
      }
      const { signal } = new AbortController()
      const ci = await useIntegration(scope, services, { integrationId: id, kind: 'ci', signal })
      await ci.trigger(
        'release',
        { branch: `release/${VERSION}` },
        {},
        { idempotencyKey: 'upload' }
      )
    },
  }
}

test.group('An Android release with GitHub', (group) => {
  group.each.teardown(async () => {
    reached.github = null
    await tidy()
  })

  test('goes from its kickoff to 100 %, and nothing happens twice', async ({ assert }) => {
    const made = await makeRehearsal()
    const { admin, path, work, step, release, advance, upload, world } = made
    // GitHub is unreachable at the kickoff, and then its answer about the new branch is lost.
    reached.github = null
    assert.equal((await admin.put(`${path}/kickoff`)).status, 200)
    await work()
    made.github.failNext('lost')
    reached.github = made.github
    await work()
    const second = (reached.github = restarted(made.github))
    await work()
    assert.equal((await release()).releaseBranch, `release/${VERSION}`)

    const { stepRunId } = await step('releaseCandidate')
    second.failNext('lost')
    assert.equal((await admin.post(`${path}/stepRun/${stepRunId}/triggerCI`, {})).status, 200)
    await work()
    await work()
    const third = (reached.github = restarted(second))
    await work()
    assert.lengthOf(third.actions.runs, 1)
    third.actions.runs[0].state = 'succeeded'
    await upload()
    await advance('2h')
    assert.equal((await step('releaseCandidate')).status, 'complete')

    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
    await work()
    await work()
    await advance('1h')
    assert.equal((await release()).phase, 'inReview')
    await advance('6h')
    assert.equal((await release()).phase, 'readyToRelease')
    const takeoff = await step('takeoff')
    const went = await admin.put(`${path}/stepRun/${takeoff.stepRunId}/takeoff`, {})
    assert.oneOf(went.status, [200, 202], went.text)
    await work()
    const { next } = (await admin.get(`${path}/whyNotMoving`)).body
    assert.match(JSON.stringify(next), /press Publish changes/)
    const console = `/org/${world.organizationId}/simulatedWorld/console`
    const published = await admin.post(console, { store: 'googlePlay', deed: 'publishes' })
    assert.equal(published.status, 200, published.text)
    for (let hours = 0; hours < 6 && (await release()).status !== 'completed'; hours++) {
      await advance('4h')
    }
    assert.equal((await release()).status, 'completed')
    const fourth = (reached.github = restarted(third))
    await work()
    await work()

    const { git } = fourth.code
    assert.sameMembers([...git.branches.keys()], [...made.github.code.git.branches.keys()])
    assert.lengthOf(fourth.actions.runs, 1)
    const tags = [...git.tags.keys()].filter((name) => name.includes(VERSION))
    assert.lengthOf(tags, 1)
    assert.equal((await release()).tag.name, tags[0])
    const once = ['release.kickedOff', 'release.submitted', 'release.released', 'release.tagged']
    const events = (await world.events()).map(({ type }) => type)
    for (const type of once)
      assert.lengthOf(
        events.filter((each) => each === type),
        1,
        type
      )
  })
})
