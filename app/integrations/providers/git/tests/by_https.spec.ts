import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { failure, mutation, reported, versionControl } from './support/contexts.js'
import { makeFolder, servedRepository, writeScript } from './support/repositories.js'
import { CERTIFICATE, fakeSsh, serveGit } from './support/servers.js'

test.group('git | by https', () => {
  const token = 'canary-token-4711'
  const secrets = { username: 'ci', token }
  const settings = { caFile: CERTIFICATE }

  test('a token opens it, and is in no argument, address, file or message', async ({
    assert,
    cleanup,
  }) => {
    const { folder, repository, sha } = servedRepository(cleanup)
    const { base, authorizations } = await serveGit(cleanup, {
      root: join(folder, 'srv'),
      account: `ci:${token}`,
    })
    // In the place of git it writes down what it is called with.
    const real = join('/usr/bin', 'git')
    const calls = join(folder, 'calls')
    fakeSsh(cleanup, folder, 'exit 1')
    writeScript(join(folder, 'bin', 'git'), `printf '%s\\n' "$@" >> '${calls}'\nexec ${real} "$@"`)
    const logged: unknown[] = []
    const git = versionControl({ baseUrl: base, home: folder, settings, secrets }, logged)
    await git.createBranch('release', sha, mutation())
    await git.commitFiles('release', [{ path: 'b', text: 'ü' }], 'Change', mutation())
    assert.equal(repository.git('show', 'release:b'), 'ü')
    assert.include(authorizations, `Basic ${btoa(`ci:${token}`)}`)
    assert.include(readFileSync(calls, 'utf8'), 'push')
    const kept = readdirSync(join(folder, 'git-1'), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => readFileSync(join(each.parentPath, each.name), 'latin1'))
    for (const place of [readFileSync(calls, 'utf8'), JSON.stringify(logged), ...kept]) {
      assert.notInclude(place, token)
      assert.notInclude(place, btoa(`ci:${token}`))
    }
  })

  // The default folder of certificates is compiled into libcurl.
  test("certificates of a file are trusted in place of the system's, whose folder is not read", async ({
    assert,
    cleanup,
  }) => {
    const { folder, sha } = servedRepository(cleanup)
    const { base } = await serveGit(cleanup, { root: join(folder, 'srv') })
    const seen = join(folder, 'seen')
    fakeSsh(cleanup, folder, 'exit 1')
    const script = `for each; do case "$each" in http.sslCA*) echo "$each" >> '${seen}';; esac
case "$each" in http.sslCAPath=*) (cd "\${each#*=}" && ls -A && echo read) >> '${seen}';; esac; done
exec /usr/bin/git "$@"`
    writeScript(join(folder, 'bin', 'git'), script)
    const git = versionControl({ baseUrl: base, home: folder, settings })
    assert.equal((await git.getBranch('main'))?.sha, sha)
    const [info, path, ...held] = readFileSync(seen, 'utf8').trim().split('\n')
    assert.equal(info, `http.sslCAInfo=${CERTIFICATE}`)
    assert.match(path, /^http\.sslCAPath=\//)
    assert.deepEqual(held, ['read'], 'It is there, and holds nothing')
    assert.isFalse(existsSync(path.slice('http.sslCAPath='.length)), 'Nothing is left behind')
  })

  test('a token that a server or program repeats is not shown, not even in part', async ({
    assert,
    cleanup,
  }) => {
    const { folder } = servedRepository(cleanup)
    fakeSsh(cleanup, folder, 'exit 1')
    const logged: unknown[] = []
    for (const before of ['', 'x'.repeat(275), 'y\n'.repeat(40_000) + 'z'.repeat(65)]) {
      const text = `remote: error: 403 ${before} $TARMAC_GIT_TOKEN is no token`
      const said = `cat >&2 <<E\n${text}\nE\nexit 128`
      writeScript(join(folder, 'bin', 'git'), said)
      const given = { baseUrl: 'https://localhost:1', home: folder, settings, secrets }
      for (const call of [
        () => versionControl(given, logged).getBranch('main'),
        () => versionControl(given, logged).compare('main', 'main'),
      ]) {
        const error = await failure(call())
        assert.notInclude(`${error.message} ${error.stack}`, 'canary')
      }
    }
    assert.notInclude(JSON.stringify(logged), 'canary')
  })

  test('what a server answers is told in words', async ({ assert, cleanup }) => {
    const { folder, repository, sha } = servedRepository(cleanup)
    const root = join(folder, 'srv')
    const open = async (serving: object, given: object = { secrets, settings }) => {
      const { base } = await serveGit(cleanup, { root, ...serving })
      return versionControl({ baseUrl: base, home: makeFolder(cleanup), ...given })
    }
    for (const [serving, expected] of [
      [{ status: 401 }, 'unauthorized credentials'],
      [{ account: 'ci:other' }, 'unauthorized credentials'],
      [{ status: 403 }, 'forbidden refused'],
      [{ status: 404 }, 'notFound repository'],
      [{ status: 429 }, 'rateLimited too_many'],
      [{ status: 503 }, 'unavailable connection'],
      // Credentials go nowhere but to the host they are for.
      [{ status: 302 }, 'protocol '],
    ] as const) {
      const git = await open(serving)
      const error = await failure(git.getBranch('main'))
      assert.equal([error.code, error.detail.reason].join(' '), expected, JSON.stringify(serving))
      assert.equal(error.detail.outcome, 'notApplied')
      assert.notInclude(error.message, token)
    }
    const readOnly = await open({ isReadOnly: true })
    assert.equal((await readOnly.getBranch('main'))?.sha, sha)
    assert.equal(
      await reported(readOnly.createBranch('x', sha, mutation())),
      'forbidden refused notApplied'
    )
    const untrusted = await open({}, { secrets })
    assert.equal(await reported(untrusted.getBranch('main')), 'unavailable certificate notApplied')
    assert.lengthOf([...repository.refs()], 1)
  })

  test('an answer that is lost is looked for at the remote', async ({ assert, cleanup }) => {
    const { folder, repository, sha } = servedRepository(cleanup)
    const losesAnswers = () => true
    const { base } = await serveGit(cleanup, { root: join(folder, 'srv'), losesAnswers })
    const git = versionControl({ baseUrl: base, home: folder, settings })
    await git.createBranch('release', sha, mutation())
    const fix = repository.commit({ files: { b: '2' } })
    const picked = await git.cherryPick(fix, 'release', 'release', mutation('p'))
    assert.deepEqual(await git.cherryPick(fix, 'release', 'release', mutation('p')), picked)
    assert.equal(repository.git('rev-list', '--count', `${sha}..release`), '1')
  })
})
