import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { failure, mutation, reported, versionControl } from './support/contexts.js'
import { makeFolder, TestRepository } from './support/repositories.js'

function setUp(cleanup: Parameters<typeof makeFolder>[0]) {
  const folder = makeFolder(cleanup)
  const repository = new TestRepository(join(folder, 'app.git'))
  const git = versionControl({ baseUrl: folder, home: folder })
  return { folder, repository, git }
}

const NOWHERE = '1234567890'.repeat(4)

test.group('git | branches and tags', () => {
  test('a branch is made once, however often it is asked for', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup)
    const [one, two] = [repository.commit(), repository.commit()]
    const made = { name: 'release/1.2.0', sha: one }
    assert.deepEqual(await git.createBranch('release/1.2.0', one, mutation('a')), made)
    assert.deepEqual(await git.createBranch('release/1.2.0', one, mutation('a')), made)
    assert.deepEqual(await git.createBranch('release/1.2.0', one, mutation('b')), made)
    assert.equal(
      await reported(git.createBranch('release/1.2.0', two, mutation())),
      'conflict exists notApplied'
    )
    assert.equal(repository.refs().get('refs/heads/release/1.2.0'), one)
    assert.lengthOf([...repository.refs()], 2)
  })

  test('there is no branch of a commit that is not there, nor below a branch', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = setUp(cleanup)
    const sha = repository.commit()
    assert.equal(
      await reported(git.createBranch('x', NOWHERE, mutation())),
      'notFound commit notApplied'
    )
    const { code, detail } = await failure(git.createBranch('main/x', sha, mutation()))
    assert.equal(detail.outcome, 'notApplied')
    assert.notEqual(code, 'protocol')
    assert.lengthOf([...repository.refs()], 1)
  })

  test('a tag is annotated with a message and light without, and made once', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = setUp(cleanup)
    const [one, two] = [repository.commit(), repository.commit()]
    assert.deepEqual(await git.createTag('v1', one, 'Grüße\n\nViele', mutation('a')), { id: 'v1' })
    const object = repository.refs().get('refs/tags/v1')
    await git.createTag('v1', one, 'Grüße\n\nViele', mutation('a'))
    assert.equal(repository.refs().get('refs/tags/v1'), object)
    assert.equal(repository.git('cat-file', '-t', 'v1'), 'tag')
    assert.match(
      repository.git('cat-file', 'tag', 'v1'),
      /\ntagger Tarmac <tarmac@localhost> 1795168800 \+0000\n\nGrüße\n\nViele$/
    )
    await git.createTag('light', two, '', mutation())
    assert.equal(repository.refs().get('refs/tags/light'), two)
    assert.equal(
      await reported(git.createTag('v1', two, '', mutation())),
      'conflict exists notApplied'
    )
    assert.equal(
      await reported(git.createTag('v2', NOWHERE, '', mutation())),
      'notFound commit notApplied'
    )
    assert.equal(
      await reported(git.createTag('v2', one, 'a\0b', mutation())),
      'invalid message notApplied'
    )
    assert.isTrue(repository.isSound())
  })

  test('two who make the same branch and tag at once make one', async ({ assert, cleanup }) => {
    const { folder, repository } = setUp(cleanup)
    const sha = repository.commit()
    // Each with a mirror of its own, as on two machines.
    const hands = ['one', 'two', 'three'].map((name) =>
      versionControl({ baseUrl: folder, home: join(folder, name) })
    )
    const branches = await Promise.all(
      hands.map((git) => git.createBranch('r', sha, mutation('same')))
    )
    assert.deepEqual(new Set(branches.map((each) => each.sha)), new Set([sha]))
    await Promise.all(hands.map((git) => git.createTag('t', sha, 'Once', mutation('same'))))
    assert.sameMembers(
      [...repository.refs().keys()],
      ['refs/heads/main', 'refs/heads/r', 'refs/tags/t']
    )
  })
})

test.group('git | files', () => {
  test('files are committed to the tip of a branch, and others left alone', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = setUp(cleanup)
    const submodule = repository.commit({ branch: 'elsewhere' })
    const tip = repository.commit({
      files: {
        'gradle.properties': 'version=1.0\r\n',
        'link': { link: 'gradle.properties' },
        'module': { submodule },
      },
    })
    const commit = await git.commitFiles(
      'main',
      [
        { path: 'gradle.properties', text: 'version=1.1\r\n' },
        { path: 'neu/größe -x.txt', text: 'ü' },
      ],
      'Version 1.1',
      mutation('bump')
    )
    assert.equal(repository.refs().get('refs/heads/main'), commit.sha)
    assert.deepEqual(commit.parents, [tip])
    assert.match(commit.message, /^Version 1\.1\n\nTarmac-Request: [0-9a-f]{32}$/)
    assert.deepEqual([commit.author, commit.at], ['Tarmac', '2026-11-20T10:00:00.000Z'])
    const { text } = (await git.readFile('gradle.properties', 'main'))!
    assert.equal(text, 'version=1.1\r\n')
    assert.equal((await git.readFile('neu/größe -x.txt', commit.sha))?.text, 'ü')
    const modes = repository
      .git('ls-tree', 'main')
      .split('\n')
      .map((line) => line.slice(0, 6))
    assert.sameMembers(modes, ['100644', '120000', '160000', '040000'])
    assert.isTrue(repository.isSound())
  })

  test('a repeated request finds its commit, also below others', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup)
    repository.commit()
    const commit = (key: string, text: string) =>
      git.commitFiles('main', [{ path: 'v', text }], 'Bump', mutation(key))
    const first = await commit('one', '1')
    assert.equal((await commit('one', '1')).sha, first.sha)
    repository.commit()
    const second = await commit('two', '2')
    assert.notEqual(second.sha, first.sha)
    assert.equal((await commit('one', '1')).sha, first.sha)
    assert.equal((await git.readFile('v', 'main'))?.text, '2')
    // Without a difference there is nothing to commit.
    assert.equal((await commit('three', '2')).sha, second.sha)
  })

  test('what cannot be committed is refused, and nothing changes', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup)
    repository.commit({ files: { 'file': 'x', 'folder/a': 'y', 'link': { link: 'file' } } })
    const before = repository.refs()
    const commit = (path: string, message = 'Change') =>
      reported(git.commitFiles('main', [{ path, text: '' }], message, mutation()))
    for (const path of [
      '',
      '/x',
      '../x',
      '.git/hooks/x',
      'a/.GIT/x',
      'git~1/x',
      'a\nb',
      'file/b',
    ]) {
      assert.equal(await commit(path), 'invalid path notApplied', path)
    }
    for (const path of ['folder', 'link']) {
      assert.equal(await commit(path), 'invalid path notApplied', path)
    }
    assert.equal(await commit('x', '  '), 'invalid message notApplied')
    const files = [{ path: 'twice', text: '' }]
    assert.equal(
      await reported(git.commitFiles('main', [...files, ...files], 'm', mutation())),
      'invalid path notApplied'
    )
    assert.equal(
      await reported(git.commitFiles('main', [], 'm', mutation())),
      'invalid files notApplied'
    )
    assert.equal(
      await reported(git.commitFiles('nothing', files, 'm', mutation())),
      'notFound branch notApplied'
    )
    assert.deepEqual(repository.refs(), before)
  })
})

test.group('git | cherry-picks', () => {
  function release(cleanup: Parameters<typeof makeFolder>[0]) {
    const made = setUp(cleanup)
    const { repository } = made
    const root = repository.commit({ files: { 'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': 'b\n' } })
    repository.git('branch', 'release', root)
    return { ...made, root }
  }

  test('a commit is picked with its author, its message and where it comes from', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git, root } = release(cleanup)
    const fix = repository.commit({
      message: 'Fix für alle\n\nBody\n\nSigned-off-by: Ada <ada@acme.example>\n',
      author: 'Zoë Ångström <zoe@acme.example>',
      files: { 'a.txt': '1\n2\n3\n4\n5 fixed\n' },
    })
    const picked = await git.cherryPick(fix, 'release', 'pick/1', mutation('p'))
    assert.equal(picked.branch, 'pick/1')
    assert.equal(repository.refs().get('refs/heads/pick/1'), picked.sha)
    assert.equal(repository.refs().get('refs/heads/release'), root)
    const { items } = await git.compare('release', 'pick/1')
    assert.lengthOf(items, 1)
    assert.equal(items[0].author, 'Zoë Ångström')
    assert.deepEqual(items[0].message.split('\n').slice(0, -1), [
      'Fix für alle',
      '',
      'Body',
      '',
      'Signed-off-by: Ada <ada@acme.example>',
      `(cherry picked from commit ${fix})`,
    ])
    const [author] = repository.git('show', '-s', '--format=%an %at %cn', picked.sha).split('\n')
    assert.equal(author, 'Zoë Ångström 1700000002 Tarmac')
    assert.equal(repository.git('show', `${picked.sha}:a.txt`), '1\n2\n3\n4\n5 fixed')
    assert.isTrue(repository.isSound())
  })

  test('repeated it answers the same, as it does straight onto a branch', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = release(cleanup)
    const fix = repository.commit({ files: { 'c.txt': 'c' } })
    const [one, again] = [
      await git.cherryPick(fix, 'release', 'pick/1', mutation('p')),
      await git.cherryPick(fix, 'release', 'pick/1', mutation('p')),
    ]
    assert.deepEqual(again, one)
    assert.equal(
      await reported(git.cherryPick(fix, 'release', 'pick/1', mutation('other'))),
      'conflict exists notApplied'
    )
    const straight = await git.cherryPick(fix, 'release', 'release', mutation('s'))
    assert.equal(repository.refs().get('refs/heads/release'), straight.sha)
    assert.deepEqual(await git.cherryPick(fix, 'release', 'release', mutation('s')), straight)
    assert.equal(
      await reported(git.cherryPick(fix, 'release', 'release', mutation('once more'))),
      'conflict nothing_to_pick notApplied'
    )
  })

  test('a conflict names the files and leaves nothing behind', async ({ assert, cleanup }) => {
    const { repository, git } = release(cleanup)
    repository.commit({ branch: 'release', files: { 'a.txt': '1\n2\nrelease\n4\n5\n' } })
    const fix = repository.commit({
      files: { 'a.txt': '1\n2\nmain\n4\n5\n', 'b.txt': 'fine\n', 'ü.txt': 'fine' },
    })
    const before = repository.refs()
    const error = await failure(git.cherryPick(fix, 'release', 'pick/1', mutation()))
    assert.deepEqual([error.code, error.detail.outcome], ['conflict', 'notApplied'])
    assert.deepEqual(
      error.detail.fields?.map(({ path }) => path),
      ['a.txt']
    )
    assert.deepEqual(repository.refs(), before)
    const removed = repository.commit({ files: { 'a.txt': null } })
    assert.include(
      (await failure(git.cherryPick(removed, 'release', 'p', mutation()))).message,
      'a'
    )
  })

  test('merges are picked as what they brought, the first commit as all it holds', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git, root } = release(cleanup)
    repository.git('branch', 'side', root)
    repository.commit({ branch: 'side', files: { 'side.txt': 's' } })
    const merge = repository.commit({
      message: 'Merge side',
      merge: 'refs/heads/side',
      files: { 'side.txt': 's' },
    })
    const picked = await git.cherryPick(merge, 'release', 'pick/merge', mutation())
    assert.deepEqual((await git.compare('release', 'pick/merge')).items[0].parents, [root])
    assert.equal(repository.git('show', `${picked.sha}:side.txt`), 's')
    const orphan = repository.commit({ branch: 'orphan', files: { 'o.txt': 'o' } })
    const other = await git.cherryPick(orphan, 'release', 'pick/orphan', mutation())
    assert.equal(repository.git('show', `${other.sha}:o.txt`), 'o')
  })

  test('a message that is not UTF-8 stays what it is', async ({ assert, cleanup }) => {
    const { repository, git, root } = release(cleanup)
    const tree = repository.git('rev-parse', `${repository.commit({ files: { l: '1' } })}^{tree}`)
    const input = Buffer.concat([
      Buffer.from(`tree ${tree}\nparent ${root}\nauthor J`),
      Buffer.from([0xf6]),
      Buffer.from(
        'rg <j@x.example> 1700000000 +0100\ncommitter C <c@x.example> 1700000000 +0100\n'
      ),
      Buffer.from('encoding ISO-8859-1\n\nGr'),
      Buffer.from([0xfc, 0xdf]),
      Buffer.from('e\n'),
    ])
    const sha = repository.git('hash-object', '-t', 'commit', '-w', '--stdin', { input })
    repository.git('update-ref', 'refs/heads/latin', sha)
    await git.cherryPick(sha, 'release', 'pick/latin', mutation())
    const [commit] = (await git.compare('release', 'pick/latin')).items
    assert.equal(commit.author, 'Jörg')
    assert.match(commit.message, /^Grüße\n\n\(cherry picked/)
  })

  test('two picks at once onto one branch are both there, one after the other', async ({
    assert,
    cleanup,
  }) => {
    const { folder, repository } = release(cleanup)
    const fixes = ['one', 'two', 'three'].map((name) =>
      repository.commit({ files: { [name]: name } })
    )
    for (const homes of [
      ['same', 'same', 'same'],
      ['x', 'y', 'z'],
    ]) {
      const target = `release-${homes[0]}`
      repository.git('branch', target, 'release')
      const picks = fixes.map((sha, index) => {
        const git = versionControl({ baseUrl: folder, home: join(folder, homes[index]) })
        return git.cherryPick(sha, target, target, mutation())
      })
      await Promise.all(picks)
      assert.equal(repository.git('rev-list', '--count', `release..${target}`), '3')
      const names = repository.git('ls-tree', '--name-only', target).split('\n')
      assert.includeMembers(names, ['one', 'two', 'three'])
    }
    assert.isTrue(repository.isSound())
    const kept = readdirSync(join(folder, 'same', 'git-1'))
    assert.lengthOf(
      kept.filter((name) => name.endsWith('.git')),
      1
    )
  })

  test('what is not there cannot be picked, nor onto what is not there', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git, root } = release(cleanup)
    assert.equal(
      await reported(git.cherryPick(NOWHERE, 'release', 'p', mutation())),
      'notFound commit notApplied'
    )
    assert.equal(
      await reported(git.cherryPick(root, 'nothing', 'p', mutation())),
      'notFound branch notApplied'
    )
    assert.lengthOf([...repository.refs()], 2)
  })
})
