import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { AppExport } from '#configuration/commands/app_export'
import { AppImport } from '#configuration/commands/app_import'
import { randomText } from '#foundation/core/ids'
import { runCommand } from '#tests/support/console'
import { runAce } from '#tests/support/processes'
import { makeWorld } from '#tests/support/world'

test.group('app commands', (group) => {
  let folder: string
  group.setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tarmac-'))
    return () => rm(folder, { recursive: true })
  })

  async function file(text: string): Promise<string> {
    const path = join(folder, `${randomText(8)}.yml`)
    await writeFile(path, text)
    return path
  }

  test('app:import makes an app that app:export prints again', async ({ assert }) => {
    const world = await makeWorld()
    const path = await file(`name: Console ${randomText(6)}\nplatform: android\n`)
    const made = await runCommand(AppImport, [path, '--org', world.organizationId])
    assert.equal(made.code, 0, made.stderr)
    assert.deepEqual(Object.keys(made.document), ['id'])
    const { body } = await world.admin.get(`/app/${made.document.id}`)
    assert.equal(body.platform, 'android')
    const exported = await runCommand(AppExport, [made.document.id])
    const { text } = await world.admin.get(`/app/${made.document.id}/config`)
    assert.deepEqual(exported.document, { id: made.document.id, configuration: text })
  })

  test('app:import prints the warnings about the file', async ({ assert }) => {
    const world = await makeWorld()
    const settings = 'appStoreReleaseSettings: {rollout: {ladder: [{percentage: 100, hours: 0}]}}'
    const path = await file(`name: Warned ${randomText(6)}\nplatform: ios\n${settings}\n`)
    const { code, document } = await runCommand(AppImport, [path, '--org', world.organizationId])
    assert.equal(code, 0)
    assert.containsSubset(document.warnings, [{ code: 'no_meaning', line: 3 }])
  })

  test('app:import names the app that a file was imported as before', async ({ assert }) => {
    const world = await makeWorld()
    const path = await file(`name: Twice ${randomText(6)}\nplatform: ios\n`)
    const argv = [path, '--org', world.organizationId]
    const { document } = await runCommand(AppImport, argv)
    const { code, stdout } = await runAce('app:import', ...argv)
    assert.equal(code, 0)
    assert.include(stdout, `\n${document.id} has the same name, and was not changed.`)
  })

  test('app:import --dry-run answers the plan and makes nothing', async ({ assert }) => {
    const world = await makeWorld()
    const path = await file('name: Planned\nplatform: ios\n')
    const argv = [path, '--org', world.organizationId, '--dry-run']
    const { code, document } = await runCommand(AppImport, argv)
    assert.equal(code, 0)
    assert.containSubset(document[0], { op: 'add', path: 'name', to: 'Planned' })
    assert.deepEqual((await world.admin.get(`/org/${world.organizationId}/apps`)).body, [])
  })

  test('errors are printed line by line, with a failing exit code', async ({ assert }) => {
    const world = await makeWorld()
    const importing = async (text: string) =>
      runCommand(AppImport, [await file(text), '--org', world.organizationId])
    const invalid = await importing('name: A\nplatform: iso\n')
    assert.equal(invalid.code, 1)
    assert.equal(invalid.stdout, '')
    assert.include(invalid.stderr, 'platform (line 2, column 11)')
    assert.equal((await importing('a: [')).code, 1)
    assert.equal((await importing('#'.repeat(200_000))).code, 1)
    const missing = await runCommand(AppImport, [
      join(folder, 'none.yml'),
      '--org',
      world.organizationId,
    ])
    assert.include(missing.stderr, 'cannot be read')
    assert.equal((await runCommand(AppExport, ['none-ios'])).code, 1)
  })

  test('a process of its own reads the file in a thread and ends', async ({ assert }) => {
    const world = await makeWorld()
    const path = await file(`name: Process ${randomText(6)}\nplatform: ios\n`)
    const finished = await runAce('app:import', path, '--org', world.organizationId, '--json')
    assert.equal(finished.code, 0, finished.stderr)
    const { id } = JSON.parse(finished.stdout)
    assert.equal((await world.admin.get(`/app/${id}`)).status, 200)
  })
})
