import { join } from 'node:path'
import { test } from '@japa/runner'
import { makeFolder, TestRepository } from '#integrations/providers/git/tests/support/repositories'
import type { CiRun, ContinuousIntegration } from '#plugin-kit/capabilities/source'
import { isProviderError } from '#plugin-kit/provider_error'
import { inWorld, mutation } from './support/world_plugins.js'

const CI = { plugin: 'sim', type: 'sim-ci', data: { workflowId: 'release' } }
const codeIn = (repoName: string, plugin = 'sim', type = 'sim-vcs') => ({
  ci: CI,
  versionControl: { plugin, type, data: { repoName } },
})

const build = async (ci: ContinuousIntegration, branch: string) =>
  (await ci.trigger('release', { branch }, {}, mutation())) as CiRun
const idsOf = async (ci: ContinuousIntegration) =>
  (await ci.listRuns({ workflowId: 'release', branch: 'release/4.2.0' })).items.map(({ id }) => id)
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => (isProviderError(error) ? error.code : String(error))
  )

test.group('Simulated CI of several apps in one world', () => {
  test('each app has its own runs, even if workflows and branches have the same names', async ({
    assert,
  }) => {
    const world = await inWorld('two platforms', codeIn('shop'))
    const other = await world.app(codeIn('shop'))
    const [ios, android] = [await world.capability('ci'), await other.capability('ci')]
    const code = await world.capability('versionControl')
    const { sha } = (await code.getBranch('main'))!
    await code.createBranch('release/4.2.0', sha, mutation())
    const [one, two] = [await build(ios, 'release/4.2.0'), await build(android, 'release/4.2.0')]
    assert.notEqual(one.id, two.id)
    assert.deepEqual([one.sha, two.sha], [sha, sha])
    assert.deepEqual(await idsOf(ios), [one.id])
    assert.deepEqual(await idsOf(android), [two.id])
  })

  test('a run builds the tip in the repository of its app, not in others', async ({ assert }) => {
    const world = await inWorld('two repositories', codeIn('shop'))
    const other = await world.app(codeIn('checkout'))
    const tips: string[] = []
    for (const app of [world, other]) {
      const code = await app.capability('versionControl')
      const files = [{ path: 'of.txt', text: app.appId }]
      tips.push((await code.commitFiles('main', files, app.appId, mutation())).sha)
      assert.equal((await build(await app.capability('ci'), 'main')).sha, tips.at(-1))
    }
    assert.notEqual(tips[0], tips[1])
  })

  test('a branch that the repository does not have is not built', async ({ assert }) => {
    const world = await inWorld('no branch', codeIn('shop'))
    const ci = await world.capability('ci')
    assert.equal(await reasonOf(build(ci, 'release/4.2.0')), 'invalid')
    assert.isEmpty(await idsOf(ci))
  })

  test('the commit is read from git if git has the code', async ({ assert, cleanup }) => {
    const folder = makeFolder(cleanup)
    const repository = new TestRepository(join(folder, 'shop.git'))
    const used = codeIn('shop.git', 'sim-git', 'sim-git-vcs')
    const world = await inWorld('of git', used, undefined, [`--repositories=${folder}`])
    const ci = await world.capability('ci')
    const first = repository.commit({ files: { 'version.txt': '1.0.0\n' } })
    assert.equal((await build(ci, 'main')).sha, first)
    const second = repository.commit({ files: { 'version.txt': '1.1.0\n' } })
    assert.equal((await build(ci, 'main')).sha, second)
    assert.equal(await reasonOf(build(ci, 'release/4.2.0')), 'invalid')
  })
})
