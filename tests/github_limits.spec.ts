import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { FakeLimits, sampleScenario } from '@tarmac/plugin-github/fake'
import { clock } from '#foundation/core/services'
import { plugins } from '#integrations/plugins/plugin_registry'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { passMinutes, passToNight, tidy } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { isLong } from './support/effort.js'
import { credentials, integrationsOf, makeGitHub, reached, setBranches } from './support/github.js'
import { makeWorld } from './support/world.js'

/*
 * Counts the service's own requests to GitHub against GitHub's limits: many apps share one
 * connection, each with a release under way, while time passes.
 */

const APPS = isLong ? 100 : 25
const HOURS = isLong ? 24 : 1

const required = { required: true }

/**
 * Makes apps whose code, builds and tickets are at GitHub, each with a release that is kicked off.
 * @param pointsAMinute GitHub's limit for all of them together
 */
async function manyApps(count: number, pointsAMinute?: number) {
  passToNight()
  const github = (reached.github = makeGitHub())
  github.seed(sampleScenario())
  const limits = new FakeLimits(() => clock.milliseconds(), pointsAMinute)
  reached.before = (request, respond) => limits.hold(request, respond)
  await plugins.load({ github: () => import('@tarmac/plugin-github') })
  const world = await makeWorld()
  const { admin } = world
  const { id: provider } = await connect(world, 'github', { credentials })
  const steps = (['kickoff', 'featureReadiness', 'releaseCandidate'] as const).map((type) => ({
    type,
    releaseTypes: { standard: required, hotfix: required },
  }))
  const ids: string[] = []
  for (let number = 1; number <= count; number++) {
    const appId = await makeApp(world, { platform: 'android', steps })
    ids.push(appId)
    await world.write((scope) =>
      replaceIntegrations(scope, appId, [
        ...integrationsOf(provider),
        {
          ...{ key: 'tickets', type: 'github-issues', kind: 'issueTracking' as const, provider },
          data: { projects: ['acme/app'] },
        },
      ])
    )
    await setBranches(appId)
    await admin.post(`/app/${appId}/release`, { version: `1.${number}.0` })
    await admin.put(`/app/${appId}/release/${appId}:1.${number}.0/kickoff`)
  }
  return { limits, appIds: ids }
}

/** Lets time pass step by step, while a worker runs the jobs that are due. */
async function pass(limits: FakeLimits, hours: number, seconds = 60): Promise<void> {
  const worker = await app.container.make('jobs.worker')
  for (let passed = 0; passed < hours * 3600; passed += seconds) {
    passMinutes(seconds / 60)
    limits.step += 1
    for (let turn = 0; turn < 20; turn++) if ((await worker.turn()) === 0) break
  }
}

const kickedOff = async (appIds: readonly string[]) => {
  const rows = await db
    .from('releases')
    .whereIn('app_id', [...appIds])
    .whereNotNull('kicked_off_at')
  return rows.length
}

test.group('GitHub and many apps', (group) => {
  group.each.teardown(async () => {
    reached.github = null
    reached.before = (_, respond) => respond()
    await tidy()
  })

  test(`${APPS} apps in ${HOURS} h reach no limit, and every release is cut`, async ({
    assert,
  }) => {
    const { limits, appIds } = await manyApps(APPS)
    await pass(limits, HOURS)
    assert.equal(await kickedOff(appIds), APPS)
    const { impatient, refused, busiestHour, total } = limits
    assert.deepEqual(refused, [])
    assert.equal(impatient, 0)
    assert.isBelow(busiestHour, 5000)
    assert.isAbove(total, APPS * HOURS)
  }).timeout(isLong ? 1_200_000 : 120_000)

  test('a limit that others have used up is respected: it is never hit twice in a row', async ({
    assert,
  }) => {
    const { limits, appIds } = await manyApps(10, 30)
    await pass(limits, 2, 20)
    // With so few points some releases wait for hours; the others are kicked off.
    assert.isAbove(await kickedOff(appIds), 0)
    assert.isAbove(limits.refused.length, 0)
    assert.equal(limits.impatient, 0)
  }).timeout(120_000)
})
