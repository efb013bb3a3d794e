import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { CiInMemory } from '#builds/tests/memory_ci'
import { earlier, later } from '#foundation/core/clock'
import { MINUTE } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import { workPlanned } from '#foundation/jobs/tests/support/work_planned'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { makeApp } from '#tests/support/app_fixture'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld } from '#tests/support/world'

const BRANCH = [{ type: 'Branch', branch: 'main', fileFilterPatterns: ['*.ipa'] }]
const PR = [{ type: 'PR', baseBranch: 'main', fileFilterPatterns: ['*.ipa'] }]

/** Makes an app whose CI is polled for builds, and a bucket for each list of rules. */
async function withCi(rules: object[][]) {
  const ci = new CiInMemory()
  await loadTestPlugins({ 'memory-ci': async () => ({ default: ci.plugin }) })
  const world = await makeWorld()
  const { admin, organizationId } = world
  const appId = await makeApp(world)
  const { id: provider } = await connect(world, 'memory-ci')
  const integrate = (keys: string[]) =>
    world.write((scope) =>
      replaceIntegrations(
        scope,
        appId,
        keys.map((key) => ({ key, type: 'circleci', kind: 'ci', provider, data: {} }))
      )
    )
  await integrate(['ci'])
  const paths: string[] = []
  for (const [index, each] of rules.entries()) {
    const { body } = await admin.post(`/app/${appId}/bucket`, { name: `B${index}`, rules: each })
    paths.push(`/app/${appId}/bucket/${body.id}`)
  }
  return {
    world,
    admin,
    ci,
    appId,
    paths,
    integrate,
    /** Starts a run that began just now. */
    begin: (change: Parameters<CiInMemory['begin']>[0] = {}) =>
      ci.begin({ branch: 'main', startedAt: later(clock.now(), 1), state: 'running', ...change }),
    /** Makes all planned jobs due, and has a worker carry them out. */
    work: () => workPlanned(organizationId),
    watched: async () =>
      (await db.from('jobs').where('kind', 'ciBuild.discoverWanted')).filter(
        ({ finished_at: at, organization_id: of }) => at === null && of === organizationId
      ).length,
    builds: async (path: string) => (await admin.get(`${path}/builds`)).body.data,
    known: () => db.from('ci_builds').where('organization_id', organizationId),
  }
}

test.group('Builds that are discovered in a CI system', (group) => {
  group.each.teardown(async () => {
    await loadTestPlugins()
    await db.from('jobs').delete()
  })

  test('are found if a rule accepts them, followed, fetched and announced once', async ({
    assert,
  }) => {
    const { world, admin, ci, begin, work, builds, paths, known } = await withCi([BRANCH, BRANCH])
    const run = begin()
    begin({ branch: 'feature/x' })
    await work()
    assert.deepEqual(
      (await known()).map(({ branch, status }) => [branch, status]),
      [['main', 'running']]
    )
    assert.isEmpty(await builds(paths[0]))
    ci.become(run.id, 'succeeded')
    for (let turn = 0; turn < 4; turn++) await work()
    for (const path of paths) {
      const [build, ...more] = await builds(path)
      assert.isEmpty(more)
      assert.deepEqual(
        [build.status, build.artifactFileName, build.source, build.ciBuild.branch],
        ['active', 'Acme.ipa', 'rule', 'main']
      )
      const { text } = await admin.get(new URL(build.downloadUrl).pathname)
      assert.equal(text, 'the app')
    }
    const reported = (await world.events()).filter(({ type }) => type.startsWith('buildDistro.'))
    assert.deepEqual(
      reported.map(({ type }) => type.split('.')[1]),
      [...Array(2).fill('newBuildAvailable'), ...Array(2).fill('buildArtifactAvailable')]
    )
    assert.lengthOf(await known(), 1)
  })

  test('of pull requests match PR rules alone', async ({ assert }) => {
    const { ci, begin, work, builds, paths, known } = await withCi([BRANCH, PR])
    const pull = begin({ branch: 'feature/x', baseBranch: 'refs/heads/main' })
    begin({ branch: 'main', baseBranch: 'release/1.4.0' })
    const push = begin()
    await work()
    for (const { id } of [pull, push]) ci.become(id, 'succeeded')
    for (let turn = 0; turn < 4; turn++) await work()
    assert.lengthOf(await known(), 2)
    const branches = await Promise.all(
      paths.map(async (path) => (await builds(path)).map(({ ciBuild }: any) => ciBuild.branch))
    )
    assert.deepEqual(branches, [['main'], ['feature/x']])
  })

  test('are ignored if they are older than the rule, or of another workflow', async ({
    assert,
  }) => {
    const { begin, work, known } = await withCi([[{ ...BRANCH[0], workflow: 'nightly.yml' }]])
    begin({ workflowId: 'nightly.yml', startedAt: earlier(clock.now(), MINUTE) })
    begin({ workflowId: 'release.yml' })
    const { id } = begin({ workflowId: 'nightly.yml' })
    await work()
    assert.deepEqual(
      (await known()).map(({ build_identifier: identifier }) => identifier),
      [`90${id}`]
    )
  })

  test('are polled for as long as there are a rule and a CI integration', async ({ assert }) => {
    const { admin, appId, paths, watched, integrate, begin, work, known } = await withCi([[]])
    assert.equal(await watched(), 0, 'no rule')
    await admin.patch(paths[0], { rules: BRANCH })
    assert.equal(await watched(), 1)
    await admin.patch(paths[0], { rules: [...BRANCH, ...PR] })
    assert.equal(await watched(), 1)
    await admin.patch(paths[0], { status: 'archived' })
    assert.equal(await watched(), 0, 'an archived bucket needs no builds')
    await admin.patch(paths[0], { status: 'active' })
    assert.equal(await watched(), 1)
    await admin.patch(paths[0], { rules: [] })
    assert.equal(await watched(), 0)
    await admin.patch(paths[0], { rules: BRANCH })
    await integrate([])
    begin()
    await work()
    assert.deepEqual([await watched(), (await known()).length], [0, 0], 'the CI is gone')
    await integrate(['other'])
    await admin.patch(paths[0], { rules: PR })
    assert.equal(await watched(), 1, 'another CI')
    const { status } = await admin.delete(`/app/${appId}/app/config`)
    assert.isBelow(status, 300)
    assert.equal(await watched(), 0)
    assert.isEmpty(await db.from('app_build_watches').where('app_id', appId))
  })
})
