import { join } from 'node:path'
import { test } from '@japa/runner'
import { makeFolder, TestRepository } from '#integrations/providers/git/tests/support/repositories'
import { DisconnectProvider } from '#integrations/actions/disconnect_provider'
import { runCommand } from '#tests/support/console'
import { SimAdvance } from '../commands/sim_advance.js'
import { SimStart } from '../commands/sim_start.js'
import { inWorld } from './support/world_plugins.js'

interface Reported {
  id: string
  plugin: string
  alias: string | null
  status: string
}

const USED = {
  versionControl: { plugin: 'sim', type: 'sim-vcs', data: { repoName: 'shop' } },
  appStore: { plugin: 'sim-apple', type: 'sim-apple', data: { bundleId: 'com.acme.shop' } },
}

const pluginsOf = (document: { connections: Reported[] }) =>
  document.connections.map(({ plugin, status }) => [plugin, status])

/** Returns a folder with a repository that has a first commit. */
function folderWithShop(cleanup: Parameters<typeof makeFolder>[0]): string {
  const folder = makeFolder(cleanup)
  new TestRepository(join(folder, 'shop.git')).commit({ files: { 'version.txt': '1.0.0\n' } })
  return folder
}

test.group('sim:start for an organization that has a world', () => {
  test('reconnects disconnected plugins under their ids and aliases, and keeps the world', async ({
    assert,
  }) => {
    const { of, org, capability, started } = await inWorld('older', USED, undefined, [
      '--alias=Sim',
    ])
    const { connections }: { connections: Reported[] } = started.document
    const [whole, apple, google] = connections
    assert.equal((await runCommand(SimAdvance, ['3d', org])).code, 0)
    await of.write((scope) => new DisconnectProvider(scope).handle(apple.id, true))
    // No app uses it, so it is removed.
    await of.write((scope) => new DisconnectProvider(scope).handle(google.id, false))
    const again = await runCommand(SimStart, [org])
    assert.equal(again.code, 0, again.stderr)
    assert.equal(again.document.seed, 'older')
    assert.deepEqual(pluginsOf(again.document), [
      ['sim-apple', 'connected'],
      ['sim-google', 'connected'],
    ])
    const [first, second]: Reported[] = again.document.connections
    assert.deepEqual([first.id, first.alias], [apple.id, 'Sim App Store'])
    assert.equal(second.alias, 'Sim Google Play', 'named like those that are there')
    const path = `/org/${of.organizationId}/simulatedWorld`
    const { now } = (await of.admin.get(path)).body
    assert.isAbove(Date.parse(now) - Date.now(), 2 * 24 * 3_600_000, 'its time is as before')
    // Untouched and reconnected connections both work.
    assert.equal(whole.plugin, 'sim')
    assert.isNotNull(await (await capability('versionControl')).getBranch('main'))
    assert.isArray((await (await capability('appStore')).listBuilds({})).items)
  })

  test('reconnects all of them if none has the token of the world any more', async ({ assert }) => {
    const { of, org, capability, started } = await inWorld('all', USED)
    for (const { id } of started.document.connections) {
      await of.write((scope) => new DisconnectProvider(scope).handle(id, true))
    }
    const path = `/org/${of.organizationId}/simulatedWorld`
    assert.equal((await of.admin.get(path)).status, 404)
    const again = await runCommand(SimStart, [org])
    assert.equal(again.code, 0, again.stderr)
    assert.lengthOf(again.document.connections, 3)
    assert.equal((await of.admin.get(path)).body.seed, 'all')
    assert.isNotNull(await (await capability('versionControl')).getBranch('main'))
  })

  test('adds the git host of a folder to a world that has none', async ({ assert, cleanup }) => {
    const folder = folderWithShop(cleanup)
    const { of, org } = await inWorld('folder', USED)
    const added = await runCommand(SimStart, [org, `--repositories=${folder}`])
    assert.equal(added.code, 0, added.stderr)
    assert.deepEqual(pluginsOf(added.document), [['sim-git', 'connected']])
    const [{ id }]: Reported[] = added.document.connections
    // A connection without apps is removed with its settings, so the folder has to be given again.
    await of.write((scope) => new DisconnectProvider(scope).handle(id, false))
    const other = folderWithShop(cleanup)
    const again = await runCommand(SimStart, [org, `--repositories=${other}`])
    assert.deepEqual(pluginsOf(again.document), [['sim-git', 'connected']])
  })

  test('a disconnected git host comes back, over another folder if one is given', async ({
    assert,
    cleanup,
  }) => {
    const [folder, other] = [folderWithShop(cleanup), folderWithShop(cleanup)]
    new TestRepository(join(other, 'shop.git')).commit({ files: { 'version.txt': '2.0.0\n' } })
    const used = {
      versionControl: { plugin: 'sim-git', type: 'sim-git-vcs', data: { repoName: 'shop.git' } },
    }
    const { of, org, capability, started } = await inWorld('hosted', used, undefined, [
      `--repositories=${folder}`,
    ])
    const { connections }: { connections: Reported[] } = started.document
    const { id } = connections.find(({ plugin }) => plugin === 'sim-git')!
    const readVersion = async () =>
      (await (await capability('versionControl')).readFile('version.txt', 'main'))?.text
    for (const [words, text] of [
      [[], '1.0.0\n'],
      [[`--repositories=${other}`], '2.0.0\n'],
    ] as const) {
      await of.write((scope) => new DisconnectProvider(scope).handle(id, true))
      const again = await runCommand(SimStart, [org, ...words])
      assert.equal(again.code, 0, again.stderr)
      assert.deepEqual(
        again.document.connections.map((each: Reported) => [each.id, each.status]),
        [[id, 'connected']]
      )
      assert.equal(await readVersion(), text)
    }
  })

  test('is refused if nothing is missing, or if it contradicts the world', async ({
    assert,
    cleanup,
  }) => {
    const folder = folderWithShop(cleanup)
    const { of, org, started } = await inWorld('refused', USED, undefined, [
      `--repositories=${folder}`,
    ])
    const whole = await runCommand(SimStart, [org])
    assert.deepEqual([whole.code, whole.stderr.includes('sim:reset')], [1, true])
    const elsewhere = await runCommand(SimStart, [org, `--repositories=${folder}/other`])
    assert.equal(elsewhere.code, 1)
    assert.include(elsewhere.stderr, folder)
    await of.write((scope) =>
      new DisconnectProvider(scope).handle(started.document.connections[0].id, true)
    )
    const seeded = await runCommand(SimStart, [org, '--seed=another'])
    assert.equal(seeded.code, 1)
    assert.match(seeded.stderr, /seed refused/)
    assert.equal((await runCommand(SimStart, [org, '--seed=refused'])).code, 0)
  })

  test('the world of another organization is not changed', async ({ assert }) => {
    const [one, other] = [await inWorld('one', USED), await inWorld('other', USED)]
    const [{ id }]: Reported[] = one.started.document.connections
    await one.of.write((scope) => new DisconnectProvider(scope).handle(id, true))
    const again = await runCommand(SimStart, [one.org])
    assert.deepEqual(pluginsOf(again.document), [['sim', 'connected']])
    assert.isNotNull(await (await other.capability('versionControl')).getBranch('main'))
  })
})
