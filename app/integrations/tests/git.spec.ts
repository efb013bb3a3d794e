import { existsSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { readFolders } from '#config/git_folders'
import { unitOfWork } from '#foundation/core/services'
import { DisconnectProvider } from '#integrations/actions/disconnect_provider'
import { removeFolder } from '#integrations/connections/folder_command'
import { ProviderConnect } from '#integrations/commands/provider_connect'
import { makeFolder, TestRepository } from '#integrations/providers/git/tests/support/repositories'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { replaceIntegrations } from '#integrations/store_integrations'
import { useIntegration } from '#integrations/use_integration'
import { makeApp } from '#tests/support/app_fixture'
import { runCommand } from '#tests/support/console'
import { makeWorld, type World } from '#tests/support/world'
import { connect } from './support/connect.js'

async function use(world: World, integrationId: string) {
  const services = {
    secrets: await app.container.make('integrations.secrets'),
    caller: await app.container.make('integrations.caller'),
  }
  const { signal } = new AbortController()
  const wanted = { integrationId, kind: 'versionControl', signal } as const
  return useIntegration(unitOfWork.readScope(world.principal), services, wanted)
}

/** Makes an app whose code is in a repository. */
async function withRepository(world: World, baseUrl: string, repoName = 'app.git') {
  const { id: provider } = await connect(world, 'git', { settings: { baseUrl } })
  const appId = await makeApp(world)
  const data = { repoName }
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [
      { key: 'code', type: 'git-vcs', kind: 'versionControl', provider, data },
    ])
  )
  const [{ id }] = await integrationEntities(unitOfWork.readScope(world.principal), appId)
  return { id, provider }
}

test.group('Using an integration of git', () => {
  test('is connected by the console, which refuses an empty address', async ({
    assert,
    cleanup,
  }) => {
    const folder = makeFolder(cleanup)
    new TestRepository(join(folder, 'app.git')).commit()
    const world = await makeWorld()
    const connectTo = (...settings: string[]) =>
      runCommand(ProviderConnect, [
        'git',
        `--org=${world.organizationId}`,
        '--alias=Repos',
        ...settings.map((each) => `--set=${each}`),
      ])
    const done = await connectTo(`baseUrl=${folder}`, 'probeRepo=app.git')
    assert.equal(done.code, 0, done.stderr)
    assert.containsSubset(done.document, { alias: 'Repos', plugin: 'git' })
    const unfit = await connectTo('baseUrl=')
    assert.notEqual(unfit.code, 0)
    assert.include(unfit.stderr, 'baseUrl')
  })

  test('works with the repository that the app names', async ({ assert, cleanup }) => {
    const folder = makeFolder(cleanup)
    const repository = new TestRepository(join(folder, 'app.git'))
    const sha = repository.commit()
    const world = await makeWorld()
    const { id } = await withRepository(world, folder)
    const git = await use(world, id)
    await git.createBranch('release/1.0', sha, { idempotencyKey: 'a' })
    await git.createTag('v1', sha, 'One', { idempotencyKey: 'b' })
    assert.equal((await git.compare('main', 'release/1.0')).ahead, 0)
    assert.sameMembers(
      [...repository.refs().keys()],
      ['refs/heads/main', 'refs/heads/release/1.0', 'refs/tags/v1']
    )
  })

  test('the mirror of a repository is removed with its connection, and no other', async ({
    assert,
    cleanup,
  }) => {
    const folder = makeFolder(cleanup)
    new TestRepository(join(folder, 'app.git')).commit()
    const world = await makeWorld()
    const [mine, other] = [
      await withRepository(world, folder),
      await withRepository(await makeWorld(), folder),
    ]
    const folders = await app.container.make('integrations.folders')
    await (await use(world, mine.id)).compare('main', 'main')
    await mkdir(folders.of(other.provider), { recursive: true })
    assert.isNotEmpty(readdirSync(folders.of(mine.provider)))
    await world.write((scope) => new DisconnectProvider(scope).handle(mine.provider, true))
    const { handler } = removeFolder
    const entry = { subject: mine.provider } as never
    if (handler.nature !== 'command') throw new Error('It is a command')
    for (let round = 0; round < 2; round++) {
      await handler.call(entry, {} as never)
      assert.isFalse(existsSync(folders.of(mine.provider)))
      assert.isTrue(existsSync(folders.of(other.provider)))
    }
  })

  test('GIT_FOLDERS is refused unless it lists normalized absolute folders', ({ assert }) => {
    assert.deepEqual(readFolders(' /srv/git , /srv/mirrors,'), ['/srv/git', '/srv/mirrors'])
    for (const wrong of ['git', './git', '/srv/../etc', '/srv/git/', '~/git']) {
      assert.throws(() => readFolders(`/srv/git,${wrong}`), /GIT_FOLDERS is a list of folders/)
    }
  })
})
