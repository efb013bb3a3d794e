import { join } from 'node:path'
import type { TestContext } from '@japa/runner/core'
import { makeFolder, TestRepository } from '#integrations/providers/git/tests/support/repositories'
import { connect } from '#integrations/tests/support/connect'
import { StoreInMemory } from '#stores/tests/memory_store'
import type { StoreType } from '#stores/vocabulary'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld } from '#tests/support/world'

export const BRANCHES = `
branchSettings:
  code: {workingBranch: main, releaseBranchPatterns: {all: {pattern: "release/{version}"}}}`
const DAY = 86_400

type Cleanup = TestContext['cleanup']

/** Makes an organization with a repository that has a history, and a connection to it. */
export async function makeHistory(cleanup: Cleanup) {
  const folder = makeFolder(cleanup)
  const repository = new TestRepository(join(folder, 'app.git'))
  const world = await makeWorld()
  const { id: git } = await connect(world, 'git', { settings: { baseUrl: folder } })
  const code = `
integrations:
  code: {type: git-vcs, provider: "${git}", data: {repoName: app.git}}`
  /** Commits and tags, a number of days after the start of 2024. */
  const ship = (tag: string, day: number, message = `Ships ${tag}`) => {
    const at = Date.parse('2024-01-01T12:00:00Z') / 1000 + day * DAY
    const hash = repository.commit({ at, message })
    repository.git('tag', tag, hash)
    return hash
  }
  const releases = async (appId: string): Promise<any[]> =>
    (await world.admin.get(`/v2/app/${appId}/releases?limit=100`)).body.data
  const versions = async (appId: string) =>
    (await releases(appId)).map(({ version }: { version: string }) => version)
  return { world, admin: world.admin, code, ship, releases, versions, repository }
}

/** Makes such an organization with a connection to a store as well. */
export async function makeHistoryInStore(cleanup: Cleanup, type: StoreType) {
  const store = new StoreInMemory(type)
  await loadTestPlugins({ paper: async () => ({ default: store.plugin }) })
  cleanup(async () => void (await loadTestPlugins()))
  const history = await makeHistory(cleanup)
  const { id: provider } = await connect(history.world, 'memory-store')
  const inStore = `\n  store: {type: ${type}, provider: "${provider}", data: {bundleId: a.b}}\n`
  return { ...history, store, withStore: `${history.code}${inStore}` }
}
