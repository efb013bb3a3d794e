import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from '@japa/runner'
import Sqlite from 'better-sqlite3'
import { runAceWith, startService } from '#tests/support/processes'

/** Returns the settings of a service on SQLite with a home of its own. */
function ownHome(name: string) {
  const home = resolve(process.env.TARMAC_HOME!, name)
  return { TARMAC_HOME: home, DATABASE_URL: undefined, APP_KEY: undefined }
}

const KEY = /tarmac_[0-9A-Za-z]+/

test.group('The first start', () => {
  test('creates an organization together with its key, or neither', async ({ assert }) => {
    const settings = ownHome('first-start')
    assert.equal((await runAceWith(settings, ['org:list', '--json'])).stdout.trim(), '[]')
    const database = new Sqlite(resolve(settings.TARMAC_HOME, 'tarmac.sqlite'))
    const organizations = () => database.prepare('select id from organizations').all()
    database.exec(
      `create trigger no_key before insert on api_keys begin select raise(abort, 'no'); end`
    )
    const failed = await startService(settings)
    assert.notMatch((await failed.stop()).stdout, KEY)
    assert.deepEqual(organizations(), [])

    database.exec('drop trigger no_key')
    const service = await startService(settings)
    const key = await service.waitForOutput(KEY)
    const [{ id }] = organizations() as { id: string }[]
    const headers = { 'x-api-key': key }
    assert.equal((await fetch(`${service.base}/org/${id}`, { headers })).status, 200)
    // Operations of pages have no route.
    for (const place of ['apiKey', 'user', `user/${id}/deactivate`]) {
      const method = place.includes('/') ? 'PUT' : 'GET'
      const url = `${service.base}/org/${id}/${place}`
      assert.equal((await fetch(url, { method, headers })).status, 404, place)
    }
    await service.stop()

    const again = await startService(settings)
    const where = await again.waitForOutput(/Tarmac is ready at [^\n,]+/)
    assert.equal(where, `Tarmac is ready at ${again.base}`)
    assert.notMatch((await again.stop()).stdout, KEY)
    database.exec('pragma foreign_keys = off; delete from api_keys')
    const keyless = await startService(settings)
    assert.include((await keyless.stop()).stdout, `key:create --org=${id} --name=admin --admin`)
    database.close()
  }).timeout(60_000)

  test('fails with one clear line and exit code 1 if the home cannot be used', async ({
    assert,
  }) => {
    const { TARMAC_HOME: folder } = ownHome('no-home')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(resolve(folder, 'file'), 'no folder')
    mkdirSync(resolve(folder, 'odd/app.key'), { recursive: true })
    for (const [home, line] of [
      ['file', /file cannot be made \(EEXIST\)/],
      ['file/below', /file\/below cannot be made \(ENOTDIR\)/],
      ['odd', /odd\/app\.key cannot be read \(EISDIR\)/],
    ] as const) {
      const settings = { ...ownHome('no-home'), TARMAC_HOME: resolve(folder, home) }
      const { code, stdout, stderr } = await runAceWith(settings, ['org:list', '--json'])
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr.trim(), /^Tarmac did not start: [^\n]+ See TARMAC_HOME\.$/)
      assert.match(stderr, line)
      const refused = await startService(settings).then(
        () => 'started',
        ({ message }) => message
      )
      assert.match(refused, line)
      assert.notMatch(refused, /\n\s+at /)
    }
  }).timeout(60_000)
})
