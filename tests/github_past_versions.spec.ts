import { test } from '@japa/runner'
import { sampleScenario } from '@tarmac/plugin-github/fake'
import { BRANCHES } from '#configuration/tests/functional/history'
import { makeApp } from '#configuration/tests/functional/yaml'
import { plugins } from '#integrations/plugins/plugin_registry'
import { connect } from '#integrations/tests/support/connect'
import { workAway } from '#releases/tests/helpers/code_world'
import { requestPastVersions } from '#version_control/backfill/read_tags'
import { credentials, makeGitHub, reached } from '#tests/support/github'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld } from '#tests/support/world'

/** More than a page of GitHub's tags. */
const TAGS = 120
/** The highest versions alone are imported. */
const IMPORTED = 100

test.group('Past versions of an app at GitHub', (group) => {
  group.each.teardown(async () => {
    reached.github = null
    await loadTestPlugins()
  })

  test('are the highest of all pages of its tags, and are imported once', async ({ assert }) => {
    const scenario = sampleScenario()
    const { commits, tags } = scenario.versionControl!
    const [{ sha }] = commits
    for (let minor = 1; minor < TAGS; minor++) tags.push({ name: `v1.${minor}.0`, sha })
    tags.push({ name: 'nightly', sha }, { name: 'v2.0.0-rc.1', sha })
    reached.github = makeGitHub()
    reached.github.seed(scenario)
    await plugins.load({ github: () => import('@tarmac/plugin-github') })
    const world = await makeWorld()
    const { id: provider } = await connect(world, 'github', { credentials })
    const code = `
integrations:
  code: {type: github-vcs, provider: "${provider}", data: {repoName: acme/app}}`
    const { id } = await makeApp(world, `${BRANCHES}${code}`, 'android')
    const before = await world.events()
    const releases = async (): Promise<any[]> =>
      (await world.admin.get(`/v2/app/${id}/releases?limit=100`)).body.data
    await workAway()
    const all = await releases()
    assert.deepEqual(
      all.map(({ version }) => version),
      Array.from({ length: IMPORTED }, (_, index) => `1.${TAGS - 1 - index}.0`)
    )
    for (const each of all) {
      assert.containsSubset(each, {
        ...{ imported: true, status: 'completed', releasedAt: commits[0].at },
        tag: { name: `v${each.version}`, commitHash: sha },
      })
    }
    await world.write((scope) => requestPastVersions(scope, id, 'again'))
    await workAway()
    assert.deepEqual(await releases(), all)
    assert.deepEqual(await world.events(), before)
  })
})
