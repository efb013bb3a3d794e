import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import lifecycle from '../lifecycle.js'
import { isEnough, parseVersion } from '../program/version.js'
import { contextOf, reported } from './support/contexts.js'
import { servedRepository, writeScript } from './support/repositories.js'
import { CERTIFICATE, fakeSsh, serveGit } from './support/servers.js'

test.group('git | check', () => {
  test('says what it found, and what it could not try', async ({ assert, cleanup }) => {
    const { folder } = servedRepository(cleanup)
    const baseUrl = join(folder, 'srv')
    const check = (given: Parameters<typeof contextOf>[0]) =>
      lifecycle.check({ ...contextOf(given), folder: null, data: {} })
    const found = await check({ baseUrl, home: folder })
    assert.match(found.account, new RegExp(`^${baseUrl} \\(git 2\\.\\d+\\)$`))
    assert.deepEqual(found.missingPermissions, [])
    const probed = await check({ baseUrl, home: folder, settings: { probeRepo: 'app.git' } })
    assert.deepEqual(probed.missingPermissions, [])
    const missing = { baseUrl, home: folder, settings: { probeRepo: 'nothing' } }
    assert.equal(await reported(check(missing)), 'notFound repository notApplied')
    assert.equal(
      await reported(check({ baseUrl: join(folder, 'nowhere'), home: folder })),
      'notFound base_url notApplied'
    )
    assert.equal(
      await reported(check({ baseUrl: 'ext::sh -c x', home: folder })),
      'invalid base_url notApplied'
    )
    const untried = await check({ baseUrl: 'ssh://host/x', home: folder })
    assert.include(untried.account, 'not tried')
  })

  test('with a repository to try, a token that only reads lacks push', async ({
    assert,
    cleanup,
  }) => {
    const { folder, repository } = servedRepository(cleanup)
    const root = join(folder, 'srv')
    const check = async (serving: object, secrets = {}) => {
      const { base } = await serveGit(cleanup, { root, ...serving })
      const settings = { caFile: CERTIFICATE, probeRepo: 'app.git' }
      const given = { baseUrl: base, home: folder, settings, secrets }
      return lifecycle.check({ ...contextOf(given), folder: null, data: {} })
    }
    assert.deepEqual((await check({ isReadOnly: true })).missingPermissions, ['push'])
    assert.deepEqual((await check({})).missingPermissions, [])
    assert.equal(
      await reported(check({ account: 'a:b' }, { token: 'wrong' })),
      'unauthorized credentials notApplied'
    )
    assert.lengthOf([...repository.refs()], 1)
  })

  test('a git that is too old, or none, is named', async ({ assert, cleanup }) => {
    const { folder } = servedRepository(cleanup)
    const given = { baseUrl: join(folder, 'srv'), home: folder }
    const check = () => lifecycle.check({ ...contextOf(given), folder: null })
    fakeSsh(cleanup, folder, 'exit 1')
    writeScript(join(folder, 'bin', 'git'), 'echo git version 2.37.7')
    assert.equal(await reported(check()), 'preconditionFailed git_version notApplied')
    const before = process.env.PATH
    process.env.PATH = folder
    cleanup(() => void (process.env.PATH = before))
    assert.equal(await reported(check()), 'unavailable no_git notApplied')
    for (const [said, enough] of [
      ['git version 2.38.0', true],
      ['git version 2.39.5 (Apple Git-154)', true],
      ['git version 3.0.0', true],
      ['git version 2.9.5', false],
      ['git version 1.99', false],
    ] as const) {
      assert.equal(isEnough(parseVersion(said)!), enough, said)
    }
    assert.isNull(parseVersion('something else'))
    writeFileSync(join(folder, 'done'), '')
  })
})
