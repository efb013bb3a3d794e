import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { failure, mutation, reached, reported, versionControl } from './support/contexts.js'
import {
  type makeFolder,
  servedRepository,
  type TestRepository,
  writeScript,
} from './support/repositories.js'
import { callInProcess } from './support/call_in_process.js'
import { isRunning } from './support/launchers.js'
import { fakeSsh, SERVE } from './support/servers.js'

type Cleanup = Parameters<typeof makeFolder>[0]

/** Makes a repository behind a program in the place of ssh. */
function behindSsh(cleanup: Cleanup, script = SERVE) {
  const made = servedRepository(cleanup)
  const { folder } = made
  const log = join(folder, 'ssh.log')
  fakeSsh(cleanup, folder, `printf '%s\\n' "$@" >> '${log}'; env >> '${log}'\n${script}`)
  const given = {
    baseUrl: `ssh://git@host.example${folder}/srv`,
    home: folder,
    settings: { hostKeys: 'host.example ssh-ed25519 AAAA' },
    secrets: { sshKey: 'canary-key-4711 '.repeat(4) },
  }
  return { ...made, given, git: versionControl(given), reported: () => readFileSync(log, 'utf8') }
}

/** Runs until aborted, with a signal that comes once the server is asked. */
async function whenAsked(asked: () => boolean, controller: AbortController): Promise<void> {
  while (!asked()) await sleep(10)
  controller.abort()
}

/** Has the server do something once it has taken a push, before it says so. */
function onceTaken(repository: TestRepository, script: string): () => boolean {
  const mark = join(repository.path, 'taken')
  rmSync(mark, { force: true })
  const work = `touch '${mark}'; ${script}`
  repository.hook(
    'reference-transaction',
    `cat > /dev/null\n[ "$1" = committed ] || exit 0\n${work}`
  )
  return () => existsSync(mark)
}

/** Serves reading, and does something else once it is pushed to. */
const onPush = (script: string) => `case "$*" in *receive-pack*) ${script};; esac\n${SERVE}`

test.group('git | by ssh', () => {
  test('it is worked with as by its path, and asked for nothing', async ({ assert, cleanup }) => {
    const { folder, repository, sha, git, reported: printed } = behindSsh(cleanup)
    await git.createBranch('release', sha, mutation())
    assert.equal(repository.refs().get('refs/heads/release'), sha)
    assert.equal((await git.readFile('a', 'release'))?.text, '1\n')
    const said = printed()
    for (const option of ['BatchMode=yes', 'StrictHostKeyChecking=yes', 'IdentityAgent=none']) {
      assert.include(said, option)
    }
    assert.notInclude(said, 'canary-key')
    assert.deepEqual(readdirSync(join(folder, 'git-1', 'keys')), [])
  })

  test('the key is there for ssh alone, for as long as it is used', async ({ assert, cleanup }) => {
    const script = `for each; do case "$each" in IdentityFile=*) stat -c %a "\${each#*=}" > "$(dirname "$0")/mode"; esac; done\n${SERVE}`
    const { folder, git } = behindSsh(cleanup, script)
    await git.getBranch('main')
    assert.equal(readFileSync(join(folder, 'bin', 'mode'), 'utf8').trim(), '600')
  })

  test('a server’s refusal and its reason are reported, and nothing is applied', async ({
    assert,
    cleanup,
  }) => {
    for (const [says, expected] of [
      ['git@host: Permission denied (publickey).', 'unauthorized credentials notApplied'],
      ['Host key verification failed.', 'preconditionFailed host_key notApplied'],
      ['ERROR: Repository not found.', 'notFound repository notApplied'],
      ['ssh: Could not resolve hostname host: x', 'unavailable connection notApplied'],
      ['ssh: connect to host x port 22: Connection refused', 'unavailable connection notApplied'],
      ['some new saying', 'unavailable connection notApplied'],
    ]) {
      const { git } = behindSsh(cleanup, `echo "${says}" >&2; exit 255`)
      assert.equal(await reported(git.getBranch('main')), expected, says)
      assert.equal(await reported(git.compare('main', 'main')), expected, says)
    }
  })

  test('one that may only be read is read, and refuses changes', async ({ assert, cleanup }) => {
    const refusal = `echo 'ERROR: Write access to repository not granted.' >&2; exit 1`
    const { repository, sha, git } = behindSsh(cleanup, onPush(refusal))
    assert.equal((await git.compare('main', 'main')).ahead, 0)
    const refused = 'forbidden refused notApplied'
    assert.equal(await reported(git.createBranch('x', sha, mutation())), refused)
    assert.equal(await reported(git.createTag('x', sha, 'X', mutation())), refused)
    const commit = git.commitFiles('main', [{ path: 'b', text: '' }], 'Change', mutation())
    assert.equal(await reported(commit), refused)
    assert.lengthOf([...repository.refs()], 1)
  })

  test('a hook of the server that rejects has the last word', async ({ assert, cleanup }) => {
    const { repository, sha, git } = behindSsh(cleanup)
    repository.hook('pre-receive', 'echo "Only on Fridays" >&2; exit 1')
    const error = await failure(git.createBranch('x', sha, mutation()))
    assert.deepEqual([error.code, error.detail.outcome], ['forbidden', 'notApplied'])
    assert.include(error.message, 'pre-receive hook declined')
    assert.equal(
      await reported(git.commitFiles('main', [{ path: 'b', text: '' }], 'Change', mutation())),
      'forbidden refused notApplied'
    )
    assert.lengthOf([...repository.refs()], 1)
  })

  test('one that goes away in the middle is away', async ({ assert, cleanup }) => {
    const { folder, repository, git } = behindSsh(cleanup)
    await git.compare('main', 'main')
    rmSync(repository.path, { recursive: true })
    assert.equal(await reported(git.compare('main', 'main')), 'notFound repository notApplied')
    writeScript(join(folder, 'bin', 'ssh'), 'exit 255')
    assert.equal(await reported(git.listTags('')), 'unavailable connection notApplied')
  })

  test('one that hangs is ended with all that it started, as soon as nobody waits', async ({
    assert,
    cleanup,
  }) => {
    const controller = new AbortController()
    const hang = `sleep 600 & echo $! > "$(dirname "$0")/pid"; wait`
    const { folder, given } = behindSsh(cleanup, hang)
    const pid = () => Number(readFileSync(join(folder, 'bin', 'pid'), 'utf8'))
    const isAsked = () => readdirSync(join(folder, 'bin')).includes('pid')
    const git = versionControl({ ...given, signal: controller.signal })
    const branch = git.getBranch('x')
    await whenAsked(() => isAsked() && pid() > 0, controller)
    assert.equal(await reported(branch), 'timeout  notApplied')
    while (isRunning(pid())) await sleep(10)
    assert.equal(await reported(git.getBranch('main')), 'timeout  notApplied')
  })

  test('the first copy goes on when nobody waits any more, the caller learns of it, and it is made once', async ({
    assert,
    cleanup,
  }) => {
    const controller = new AbortController()
    const slow = `case "$*" in *upload-pack*) echo x >> "$0.asked"; until [ -e "$0.go" ]; do sleep 0.05; done;; esac\n${SERVE}`
    const { folder, given, sha } = behindSsh(cleanup, slow)
    const ssh = join(folder, 'bin', 'ssh')
    const git = versionControl({ ...given, signal: controller.signal })
    const calls = [git.listTags(''), git.createBranch('x', sha, mutation())].map(failure)
    await whenAsked(() => existsSync(`${ssh}.asked`), controller)
    for (const { code, detail, message } of await Promise.all(calls)) {
      assert.deepEqual(
        [code, detail.reason, detail.outcome],
        ['unavailable', 'preparing', 'notApplied']
      )
      assert.include(message, 'still being copied')
      assert.isAbove(detail.retryAfterMs ?? 0, 0)
    }
    assert.equal(readFileSync(`${ssh}.asked`, 'utf8'), 'x\n')
    const again = versionControl(given).compare('main', 'main')
    writeFileSync(`${ssh}.go`, '')
    assert.equal((await again).ahead, 0)
    const mirrors = readdirSync(join(folder, 'git-1')).filter((name) => name.includes('.git'))
    assert.lengthOf(mirrors, 1)
  })

  test('it is led to the addresses that were checked, under the name whose key is known', async ({
    assert,
    cleanup,
  }) => {
    const { folder, given, reported: printed } = behindSsh(cleanup)
    const before = reached.length
    await versionControl(given).compare('main', 'main')
    const requested = new Set(reached.slice(before))
    assert.deepEqual(
      [...requested],
      ['LIST ssh://git@host.example', 'FETCH ssh://git@host.example']
    )
    assert.include(printed(), 'HostName=192.0.2.1')
    assert.include(printed(), 'HostKeyAlias=host.example\n')
    const baseUrl = `ssh://git@host.example:2222${folder}/srv`
    await versionControl({ ...given, baseUrl }).getBranch('main')
    assert.include(printed(), 'HostKeyAlias=[host.example]:2222')
  })

  test('a push that hangs is not known to be applied; repeated, it is there once', async ({
    assert,
    cleanup,
  }) => {
    const controller = new AbortController()
    const { repository, given, sha } = behindSsh(cleanup)
    // The server takes it, and never says so.
    const isTaken = onceTaken(repository, 'sleep 600')
    const git = versionControl({ ...given, signal: controller.signal })
    const branch = git.createBranch('x', sha, mutation('k'))
    await whenAsked(isTaken, controller)
    assert.equal(await reported(branch), 'timeout  unknown')
    onceTaken(repository, 'exit 0')
    await versionControl(given).createBranch('x', sha, mutation('k'))
    assert.lengthOf([...repository.refs()], 2)
  })

  test('an answer that is lost is looked for at the remote', async ({ assert, cleanup }) => {
    const { repository, sha, git } = behindSsh(cleanup)
    // The server applies the push, and dies before it answers.
    onceTaken(repository, 'kill -9 $PPID')
    await git.createBranch('release', sha, mutation())
    await git.createTag('v1', sha, 'One', mutation())
    onceTaken(repository, 'exit 0')
    const fix = repository.commit({ files: { b: '2' } })
    onceTaken(repository, 'kill -9 $PPID')
    const picked = await git.cherryPick(fix, 'release', 'pick', mutation())
    assert.equal(repository.refs().get('refs/heads/pick'), picked.sha)
  })

  test('a process that is killed after a push, and asks again, has done it once', async ({
    assert,
    cleanup,
  }) => {
    const { repository, given, sha } = behindSsh(cleanup)
    const fix = repository.commit({ files: { b: '2' } })
    repository.git('branch', 'release', sha)
    const calls = [
      ['createBranch', 'made', sha, mutation('branch')],
      ['createTag', 'v1', sha, 'One', mutation('tag')],
      ['commitFiles', 'main', [{ path: 'c', text: '3' }], 'Change', mutation('files')],
      ['cherryPick', fix, 'release', 'release', mutation('pick')],
    ] as const
    for (const [method, ...args] of calls) {
      const go = join(repository.path, 'go')
      const isTaken = onceTaken(repository, `while [ ! -e '${go}' ]; do sleep 0.02; done`)
      const killed = callInProcess(given, method, args)
      while (!isTaken()) await sleep(10)
      await killed.kill()
      const before = repository.refs()
      writeFileSync(go, '')
      onceTaken(repository, 'exit 0')
      const git = versionControl(given)
      await Reflect.apply(git[method] as () => Promise<unknown>, git, args)
      assert.deepEqual(repository.refs(), before, method)
      rmSync(go)
    }
    assert.equal(repository.git('rev-list', '--count', `${sha}..release`), '1')
    assert.equal(repository.git('rev-list', '--count', `${fix}..main`), '1')
  }).timeout(30_000)

  test('what goes wrong after a push that was taken does not take it back', async ({
    assert,
    cleanup,
  }) => {
    const { folder, repository, git } = behindSsh(cleanup)
    await git.compare('main', 'main')
    const describing = 'case "$*" in *--max-count=1\\ *) echo "fatal: odd" >&2; exit 77;; esac'
    writeScript(join(folder, 'bin', 'git'), `${describing}\nexec /usr/bin/git "$@"`)
    const commit = git.commitFiles('main', [{ path: 'b', text: 'b' }], 'Change', mutation('b'))
    assert.equal(await reported(commit), 'protocol  applied')
    assert.equal(repository.git('rev-list', '--count', 'main'), '2')
  })

  test('an answer that nobody can look for is not known', async ({ assert, cleanup }) => {
    const script = `[ -e "$0.away" ] && exit 255\n${onPush('touch "$0.away"; exit 255')}`
    const { repository, sha, git } = behindSsh(cleanup, script)
    assert.equal(
      await reported(git.createBranch('x', sha, mutation())),
      'unavailable connection unknown'
    )
    assert.lengthOf([...repository.refs()], 1)
  })
})
