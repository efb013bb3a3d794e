import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { CiInMemory } from '#builds/tests/memory_ci'
import { kickedOffRelease } from '#builds/tests/support'
import { makeFlags } from '#features/tests/flags_support'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { setTalk } from '#notifications/tests/support/chat'
import { makeCode } from '#releases/tests/helpers/code_world'
import { rollingOut } from '#rollouts/tests/support'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { readyWorld, tidy, type StoreWorld } from '#stores/tests/support'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { planned } from './planning.js'

type Change = (given: StoreWorld) => Promise<unknown>

const textsOf = async ({ admin, path, step }: StoreWorld, whatsNew: string) => {
  const { stepRunId } = await step('metadata')
  const run = `${path}/stepRun/${stepRunId}`
  await admin.put(`${run}/metadata`, { localizations: [{ locale: 'en-US', whatsNew }] })
  await admin.put(`${run}/approval`, { approved: true })
}

const newBuild: Change = async ({ store, work }) => {
  store.upload('4712')
  await work()
}

const afterReview: Change = async ({ admin, path, store, work }) => {
  await admin.put(`${path}/submit`, {})
  await work()
  store.become('pendingRelease')
  await work()
}

const inReview: Change = async ({ admin, path, work }) => {
  await admin.put(`${path}/submit`, {})
  await work()
}

const elsewhere: Readonly<Record<string, Change>> = {
  'a bucket is made': ({ admin, appId }) => admin.post(`/app/${appId}/bucket`, { name: 'Beta' }),
  'a group is made': ({ admin, world }) =>
    admin.post(`/org/${world.organizationId}/group`, { name: 'Crew', userActions: [] }),
}

interface Scene {
  operation: string
  /** The step whose run is affected. Absent for the release as a whole. */
  ofRun?: ReleaseStepType
  body?: object
  world?: () => Promise<StoreWorld>
  before?: Change
  /** The changes that make the plan stale. */
  stale: Readonly<Record<string, Change>>
}

const renamed: Change = ({ admin, path }) => admin.put(path, { releaseName: 'Winter' })

const SCENES: readonly Scene[] = [
  {
    operation: 'submitRelease',
    body: {},
    stale: {
      'another build ships': newBuild,
      'a text of the store is another': (given) => textsOf(given, 'Slower'),
      'it is submitted by somebody': ({ admin, path }) => admin.put(`${path}/submit`, {}),
    },
  },
  {
    operation: 'developerRejectSubmission',
    before: inReview,
    stale: {
      'it is withdrawn by somebody': ({ admin, path }) =>
        admin.put(`${path}/developerRejectSubmission`),
    },
  },
  {
    operation: 'takeOffRelease',
    before: afterReview,
    stale: {
      'it is taken off by somebody': ({ admin, path }) => admin.put(`${path}/takeoff`),
    },
  },
  {
    operation: 'changeRollout',
    body: { action: 'set', percentage: 50 },
    world: () => rollingOut(),
    stale: {
      'it is set to another share': ({ admin, path }) =>
        admin.put(`${path}/rollout`, { action: 'set', percentage: 25 }),
      'it is paused': ({ admin, path }) => admin.put(`${path}/rollout`, { action: 'pause' }),
      'the red button is pressed': ({ admin, path }) => admin.put(`${path}/redButton`, {}),
    },
  },
  {
    operation: 'submitStepRun',
    ofRun: 'submission',
    body: {},
    stale: { 'another build ships': newBuild },
  },
  {
    operation: 'developerRejectStepRunSubmission',
    ofRun: 'submission',
    before: inReview,
    stale: {
      'it is withdrawn by somebody': ({ admin, path }) =>
        admin.put(`${path}/developerRejectSubmission`),
    },
  },
  {
    operation: 'takeOffStepRun',
    ofRun: 'takeoff',
    before: afterReview,
    stale: {
      'it is taken off by somebody': ({ admin, path }) => admin.put(`${path}/takeoff`),
    },
  },
  {
    operation: 'changeStepRunRollout',
    ofRun: 'rollout',
    body: { action: 'set', percentage: 50 },
    world: () => rollingOut(),
    stale: {
      'it is paused': ({ admin, path }) => admin.put(`${path}/rollout`, { action: 'pause' }),
    },
  },
  {
    operation: 'completeRelease',
    body: { force: true },
    stale: { 'it is renamed': renamed, 'it is submitted by somebody': inReview },
  },
]

test.group('A plan of what goes to a store', (group) => {
  group.each.teardown(tidy)

  for (const { operation, ofRun, body, world = readyWorld, before, stale } of SCENES) {
    test(`${operation} says whom it calls, and is refused after any change of it`, async ({
      assert,
    }) => {
      const changes = [...Object.entries(stale).map((each) => [...each, false] as const)]
      const others = Object.entries(elsewhere).map((each) => [...each, true] as const)
      for (const [what, change, isDone] of [...changes, others[0]]) {
        await tidy()
        const given = await world()
        const { admin, appId } = given
        await before?.(given)
        const run = ofRun && { stepRunId: (await given.step(ofRun)).stepRunId }
        const reported = { appId, releaseId: `${appId}:1.4.0`, ...run, ...(body && { body }) }
        const { plan, confirm } = await planned(admin, operation, reported)
        if (operation !== 'completeRelease')
          assert.containsSubset(plan.calls, [{ asks: 'appStore', what: 'store.reconcile' }])
        await change(given)
        const outcome = await confirm()
        if (isDone) assert.equal(outcome, 'done', what)
        else assert.notEqual(outcome, 'done', what)
      }
    })
  }

  test('a build that ships instead is not submitted by the plan of the first', async ({
    assert,
  }) => {
    const given = await readyWorld()
    const { admin, appId, work, store } = given
    const reported = { appId, releaseId: `${appId}:1.4.0`, body: {} }
    const { confirm } = await planned(admin, 'submitRelease', reported)
    await newBuild(given)
    assert.equal(await confirm(), 'plan_stale')
    await work()
    assert.isEmpty(store.changes)
    const again = await planned(admin, 'submitRelease', reported)
    assert.equal(await again.confirm(), 'done')
    assert.equal(await again.confirm(), 'plan_used')
    await work()
    assert.deepEqual(store.changes, ['prepare 1.4.0 with 4712', 'setMetadata', 'submit'])
  })
})

test.group('A plan of what a store is looked at for meanwhile', (group) => {
  group.each.teardown(tidy)

  const poll: Change = async ({ store, work }) => {
    const { length } = store.versions
    store.versions.push({
      id: `live ${length}`,
      version: '0.9.0',
      status: {
        state: 'live',
        raw: 'READY_FOR_SALE',
        beganAt: '',
        observedAt: '',
        lagSeconds: 0,
      },
      release: { method: 'manual' },
    })
    await work()
  }
  const WORLDS = SCENES.filter(({ operation, ofRun }) => !ofRun && operation !== 'completeRelease')
  for (const { operation, body, world = readyWorld, before } of WORLDS) {
    test(`${operation} holds`, async ({ assert }) => {
      const given = await world()
      await before?.(given)
      const { admin, appId } = given
      const reported = { appId, releaseId: `${appId}:1.4.0`, ...(body && { body }) }
      const { confirm } = await planned(admin, operation, reported)
      await poll(given)
      assert.equal(await confirm(), 'done')
    })
  }
})

test.group('A plan', () => {
  test('says which repository is asked for a branch', async ({ assert, cleanup }) => {
    const { admin, app, repository } = await makeCode(cleanup)
    repository.commit({ message: 'First', files: { 'a.txt': 'a\n' } })
    await admin.post(`/app/${app}/release`, { version: '1.0.0' })
    const reported = { appId: app, releaseId: `${app}:1.0.0` }
    const { plan } = await planned(admin, 'kickOffRelease', reported)
    assert.deepEqual(plan.calls, [
      { asks: 'versionControl', integrations: ['code (git-vcs)'], what: 'release.branch' },
    ])
  })

  test('says which CI is to build, and is refused once that is another', async ({
    assert,
    cleanup,
  }) => {
    const ci = new CiInMemory()
    await loadTestPlugins({ 'memory-ci': async () => ({ default: ci.plugin }) })
    cleanup(tidy)
    const given = await kickedOffRelease()
    const { world, app: appId } = given
    const { id: provider } = await connect(world, 'memory-ci')
    const install = (key: string) =>
      world.write((scope) =>
        replaceIntegrations(scope, appId, [
          { key, type: 'circleci', kind: 'ci', provider, data: { workflowId: 'release.yml' } },
        ])
      )
    await install('ci')
    await db.from('releases').where('app_id', appId).update({ release_branch: 'release/1.4.0' })
    const { stepRunId } = await given.step()
    const reported = { appId, releaseId: `${appId}:1.4.0`, stepRunId, body: {} }
    const first = await planned(world.admin, 'triggerCIWorkflow', reported)
    assert.containsSubset(first.plan.calls, [
      { asks: 'ci', integrations: ['ci (circleci)'], what: 'ciBuild.trigger' },
    ])
    await install('other')
    assert.equal(await first.confirm(), 'plan_stale')
    const second = await planned(world.admin, 'triggerCIWorkflow', reported)
    assert.equal(await second.confirm(), 'done')
    assert.equal(await second.confirm(), 'plan_used')
  })

  test('names the channel and the webhooks that are notified', async ({ assert }) => {
    const { admin, world, app } = await setTalk(['1.0.0'])
    const org = `/org/${world.organizationId}`
    const url = 'https://hooks.example/secret?token=1'
    await admin.post(`${org}/webhookEndpoint`, { url })
    await admin.post(`${org}/webhookEndpoint`, {
      url: 'https://other.example',
      events: ['group.x'],
    })
    const reported = { appId: app, releaseId: `${app}:1.0.0` }
    const { plan } = await planned(admin, 'kickOffRelease', reported)
    assert.containsSubset(plan.messages, [
      { to: 'chat C1', about: ['release.kickedOff'] },
      { to: 'webhook https://hooks.example' },
    ])
    assert.notInclude(JSON.stringify(plan), 'token=1')
  })
})

test.group('A plan of a flag', () => {
  test('says what will be different, and is refused once somebody switched it', async ({
    assert,
    cleanup,
  }) => {
    const { flags, admin, app } = await makeFlags(cleanup)
    flags.add('new')
    flags.add('old')
    const reported = {
      appId: app,
      releaseId: `${app}:4.2.0`,
      flagId: 'new',
      body: { enabled: true },
    }
    const { plan, confirm } = await planned(admin, 'updateFeatureFlag', reported)
    assert.containsSubset(plan.changes, [{ op: 'change', path: 'enabled', from: false, to: true }])
    assert.containsSubset(plan.calls, [{ asks: 'experimentation' }])
    Object.assign(flags.flags[1], { etag: '7' })
    Object.assign(flags.flags[0], { etag: '2' })
    assert.equal(await confirm(), 'plan_stale')
    assert.equal(flags.switches, 0)
    const again = await planned(admin, 'updateFeatureFlag', reported)
    Object.assign(flags.flags[1], { etag: '8' })
    assert.deepInclude(again.plan.events, {
      type: 'featureFlag.switched',
      title: 'The flag new was switched on',
      sent: false,
    })
    assert.equal(await again.confirm(), 'done')
    assert.equal(flags.switches, 1)
    // The state is as before, but the token is still used up.
    Object.assign(flags.flags[0], { enabled: false, etag: '2' })
    assert.equal(await again.confirm(), 'plan_used')
    assert.equal(flags.switches, 1)
  })
})
