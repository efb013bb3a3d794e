import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { isFilePath, isRefName } from '../names.js'
import { addressOf, parseBase } from '../remote/base.js'
import { mutation, reported, versionControl } from './support/contexts.js'
import { makeCanary, makeFolder, TestRepository, writeScript } from './support/repositories.js'
import { runGit } from './support/run_git.js'
import { runs } from '#tests/support/effort'

function setUp(cleanup: Parameters<typeof makeFolder>[0]) {
  const folder = makeFolder(cleanup)
  const base = join(folder, 'srv')
  const repository = new TestRepository(join(base, 'app.git'))
  const canary = makeCanary(folder)
  const program = join(folder, 'evil')
  writeScript(program, `${canary.script}\nexit 1`)
  const open = (repoName = 'app.git', settings = {}) =>
    versionControl({ baseUrl: base, home: folder, repoName, settings })
  return { folder, base, repository, canary, program, open, git: open() }
}

/** Returns settings with which a repository has programs run, as it may have them. */
const evilConfig = (program: string) => `
[core]
  sshCommand = ${program}
  fsmonitor = ${program}
  alternateRefsCommand = ${program}
  pager = ${program}
  editor = ${program}
  gitProxy = ${program}
  askPass = ${program}
[credential]
  helper = !${program}
[uploadpack]
  packObjectsHook = ${program}
  allowFilter = true
[alias]
  upload-pack = !${program}
  receive-pack = !${program}
  fetch = !${program}
[filter "evil"]
  clean = ${program}
  smudge = ${program}
  process = ${program}
  required = true
[diff "evil"]
  textconv = ${program}
  command = ${program}
[merge "evil"]
  driver = ${program}
[receive]
  denyCurrentBranch = updateInstead
[gpg]
  program = ${program}
[log]
  showSignature = true
[trailer "Tarmac-Request"]
  command = ${program}
[gc]
  auto = 1
  recentObjectsHook = ${program}
`

test.group('git | hostile repositories', () => {
  test('no setting, filter, driver or alias of a repository is run, whatever is done', async ({
    assert,
    cleanup,
  }) => {
    const { folder, repository, canary, program, git } = setUp(cleanup)
    const other = new TestRepository(join(folder, 'other.git'))
    other.commit()
    const root = repository.commit({
      files: {
        '.gitattributes': '* filter=evil diff=evil merge=evil text working-tree-encoding=UTF-16\n',
        '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::${program}\n\tupdate = !${program}\n`,
        'x': { submodule: '1'.repeat(40) },
        'a': 'a\n',
      },
    })
    repository.git('branch', 'release', root)
    const fix = repository.commit({ files: { a: 'b\n' } })
    appendFileSync(join(repository.path, 'config'), evilConfig(program))
    mkdirSync(join(repository.path, 'objects/info'), { recursive: true })
    writeFileSync(join(repository.path, 'objects/info/alternates'), `${other.path}/objects\n`)
    mkdirSync(join(repository.path, 'info'), { recursive: true })
    writeFileSync(join(repository.path, 'info/attributes'), '* filter=evil merge=evil diff=evil\n')

    await git.getBranch('main')
    await git.listTags('')
    await git.readFile('a', 'main')
    await git.compare('release', 'main')
    await git.createBranch('made', root, mutation())
    await git.createTag('v1', root, 'One', mutation())
    await git.commitFiles('made', [{ path: 'a', text: 'c\n' }], 'Change', mutation())
    await git.cherryPick(fix, 'release', 'release', mutation())
    assert.isFalse(canary.hasSung())
  })

  test('the canary would sing', ({ assert, cleanup }) => {
    const { folder, repository, canary, program } = setUp(cleanup)
    repository.commit({ files: { a: 'a' } })
    appendFileSync(join(repository.path, 'config'), evilConfig(program))
    spawnSync('git', ['clone', '--quiet', `ext::${program}`, join(folder, 'x')], {
      env: { PATH: process.env.PATH, HOME: folder, GIT_ALLOW_PROTOCOL: 'ext' },
      timeout: 10_000,
    })
    assert.isTrue(canary.hasSung())
  })

  test('one with hooks is read, and not changed by its path: hooks are neither run nor passed by', async ({
    assert,
    cleanup,
  }) => {
    for (const hook of ['pre-receive', 'update', 'post-receive', 'reference-transaction']) {
      const { repository, canary, git } = setUp(cleanup)
      const sha = repository.commit()
      repository.hook(hook, canary.script)
      assert.equal((await git.getBranch('main'))?.sha, sha)
      assert.equal((await git.compare('main', 'main')).ahead, 0)
      assert.equal(
        await reported(git.createBranch('x', sha, mutation())),
        'forbidden hooks notApplied'
      )
      assert.lengthOf([...repository.refs()], 1)
      assert.isFalse(canary.hasSung(), hook)
    }
    const { folder, repository, canary, git } = setUp(cleanup)
    const sha = repository.commit()
    const hooks = join(folder, 'own-hooks')
    mkdirSync(hooks)
    writeScript(join(hooks, 'pre-receive'), canary.script)
    repository.git('config', 'core.hooksPath', hooks)
    assert.equal(
      await reported(git.createTag('x', sha, '', mutation())),
      'forbidden hooks notApplied'
    )
    assert.isFalse(canary.hasSung())
  })

  test('a partial clone is not asked to fetch what it lacks', async ({ assert, cleanup }) => {
    const { repository, canary, program, git } = setUp(cleanup)
    repository.commit()
    repository.git('config', 'extensions.partialClone', 'origin')
    repository.git('config', 'remote.origin.promisor', 'true')
    repository.git('config', 'remote.origin.url', 'ssh://x/y')
    repository.git('config', 'remote.origin.uploadpack', program)
    assert.equal(await reported(git.getBranch('main')), 'forbidden config notApplied')
    assert.isFalse(canary.hasSung())
  })

  test('a folder of repositories is left by no way: names, links or files', async ({
    assert,
    cleanup,
  }) => {
    const { folder, base, open } = setUp(cleanup)
    const outside = new TestRepository(join(folder, 'secret.git'))
    outside.commit()
    symlinkSync(outside.path, join(base, 'linked.git'))
    mkdirSync(join(base, 'pointing'))
    writeFileSync(join(base, 'pointing', '.git'), `gitdir: ${outside.path}\n`)
    mkdirSync(join(base, 'common.git'))
    for (const name of readdirSync(outside.path)) {
      symlinkSync(join(outside.path, name), join(base, 'common.git', name))
    }
    writeFileSync(join(base, 'common.git', 'commondir'), `${outside.path}\n`)
    mkdirSync(join(base, 'empty'))
    for (const [name, expected] of [
      ['linked.git', 'forbidden outside'],
      ['pointing', 'notFound repository'],
      ['common.git', 'notFound repository'],
      ['empty', 'notFound repository'],
      ['nothing', 'notFound repository'],
      ['../secret.git', 'invalid repo_name'],
      ['app.git/../../secret.git', 'invalid repo_name'],
      [outside.path, 'invalid repo_name'],
      ['', 'invalid repo_name'],
      ['.', 'invalid repo_name'],
      ['-oProxyCommand=x', 'invalid repo_name'],
      ['--upload-pack=x', 'invalid repo_name'],
      ['app.git/-x', 'invalid repo_name'],
      ['ext::sh -c x', 'invalid repo_name'],
      ['file:///etc', 'invalid repo_name'],
      ['~root/x', 'invalid repo_name'],
      ['app.git\n', 'invalid repo_name'],
      ['app.git\0', 'invalid repo_name'],
      ['app.git/.git', 'invalid repo_name'],
      ['a%2e%2e', 'invalid repo_name'],
      ['$(touch x)', 'invalid repo_name'],
      ["'; touch x; '", 'invalid repo_name'],
    ] as const) {
      assert.equal(await reported(open(name).getBranch('main')), `${expected} notApplied`, name)
    }
  })

  test('a repository in a work tree is read and pushed to, but for what is checked out', async ({
    assert,
    cleanup,
  }) => {
    const { base, folder, open } = setUp(cleanup)
    const inside = new TestRepository(join(base, 'tree', '.git'))
    const sha = inside.commit()
    inside.git('config', 'core.bare', 'false')
    inside.git('config', 'receive.denyCurrentBranch', 'updateInstead')
    const git = open('tree')
    assert.equal((await git.getBranch('main'))?.sha, sha)
    assert.equal((await git.createBranch('x', sha, mutation())).sha, sha)
    const commit = git.commitFiles('main', [{ path: 'a', text: 'b' }], 'Change', mutation())
    assert.equal(await reported(commit), 'forbidden refused notApplied')
    assert.equal(inside.refs().get('refs/heads/main'), sha)
    assert.deepEqual(readdirSync(join(base, 'tree')), ['.git'])
    assert.include(readdirSync(folder), 'git-1')
  })

  test('names of refs that nobody should give are passed over', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup)
    const sha = repository.commit()
    for (const name of ['refs/heads/-x', 'refs/heads/--upload-pack=x', 'refs/heads/ma\u202ein']) {
      repository.git('update-ref', name, sha)
    }
    repository.git('update-ref', 'refs/tags/-v', sha)
    // By hand, since git itself would not.
    for (const name of ['c~1', 'd..e', '.hidden', 'f.lock']) {
      writeFileSync(join(repository.path, 'refs/heads', name), `${sha}\n`)
    }
    assert.equal((await git.getBranch('main'))?.sha, sha)
    assert.equal((await git.compare('main', 'main')).ahead, 0)
    assert.deepEqual(
      (await git.listTags('')).items.map(({ name }) => name),
      ['-v']
    )
  })

  test('folders of another user are worked with where the operator says so', async ({
    assert,
    cleanup,
  }) => {
    const { base, repository, open } = setUp(cleanup)
    const sha = repository.commit()
    chownSync(repository.path, 12_345, 12_345)
    assert.equal(await reported(open().getBranch('main')), 'forbidden owner notApplied')
    assert.equal(await reported(open().compare('main', 'main')), 'forbidden owner notApplied')
    const trusting = open('app.git', { trustOwners: true })
    assert.equal((await trusting.createBranch('x', sha, mutation())).sha, sha)
    assert.include(readdirSync(base), 'app.git')
  }).skip(process.getuid?.() !== 0, 'Only root can give a folder away')
})

const WORDS = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 127 }), fc.constantFrom(0xe4, 0x202e)), {
    maxLength: 12,
  })
  .map((codes) => String.fromCodePoint(...codes))

test.group('git | names', () => {
  test('a name is one for git exactly when it is one here, but for those that deceive', ({
    assert,
  }) => {
    const pieces = fc.constantFrom('a', '/', '.', '..', '-', '@', '{', '~', ' ', '.lock', 'ü', '*')
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 5 }), (words) => {
        const name = words.join('')
        const { status } = runGit(['check-ref-format', `refs/heads/${name}`])
        // Git lets parts begin with a dash, and a branch be named like its short form of HEAD.
        const expected = status === 0 && !/(^|\/)-/.test(name) && name !== '@'
        assert.equal(isRefName(name), expected, JSON.stringify(name))
      }),
      { numRuns: runs(150) }
    )
  })

  test('whatever repoName is given, the address stays below the base', ({ assert }) => {
    for (const baseUrl of ['/srv/git', 'ssh://git@host/team', 'https://host:8443/a/b/']) {
      const base = parseBase(baseUrl)
      const below = baseUrl.replace(/\/$/, '')
      fc.assert(
        fc.property(fc.array(WORDS, { maxLength: 4 }), (words) => {
          const name = words.join('/')
          let address: string
          try {
            address = addressOf(base, name)
          } catch {
            return
          }
          assert.isTrue(address.startsWith(`${below}/`))
          assert.notMatch(address, /\/\.\.(\/|$)|\/-|\p{Cc}/u)
          if (baseUrl.startsWith('https')) assert.equal(new URL(address).href, address)
        })
      )
    }
  })

  test('a base is a path or an ssh or https address, and nothing that runs a program', ({
    assert,
  }) => {
    for (const [given, address] of [
      ['/srv/git', '/srv/git/r'],
      ['/srv//git/', '/srv/git/r'],
      ['/', '/r'],
      ['ssh://git@host.example:2222/path/', 'ssh://git@host.example:2222/path/r'],
      ['ssh://host', 'ssh://host/r'],
      ['https://[::1]:8443/x', 'https://[::1]:8443/x/r'],
    ]) {
      assert.equal(addressOf(parseBase(given), 'r'), address)
    }
    for (const given of [
      '',
      'relative/path',
      '/srv/../etc',
      '/srv/\u0000',
      'file:///srv/git',
      'ext::sh -c evil',
      'ssh://-oProxyCommand=evil/x',
      'ssh://git@-host/x',
      'ssh://a:b@host/x',
      'git@host:path',
      'http://host/x',
      'git://host/x',
      'https://user:token@host/x',
      'https://token@host/x',
      'https://host/x?y',
      'https://host/x#y',
      'https://host/a/../b',
      'https://host/%2e%2e/b',
      'https://host/a%2Fb',
      'https://ho st/x',
      'https://host/`evil`',
      'https::https://host/x',
    ]) {
      assert.throws(() => parseBase(given), /baseUrl/, given)
    }
  })

  test('any path that is taken is relative and none of git’s own', ({ assert }) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '..', '.git', '', '.', '.GIT', 'ü')), (parts) => {
        const path = parts.join('/')
        const expected = parts.length > 0 && parts.every((each) => /^(a|ü)$/.test(each))
        assert.equal(isFilePath(path), expected)
      })
    )
  })
})
