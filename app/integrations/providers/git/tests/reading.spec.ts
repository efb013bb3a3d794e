import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { feature } from '#plugin-kit/capabilities/map'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import { failure, mutation, reported, versionControl } from './support/contexts.js'
import { makeFolder, TestRepository } from './support/repositories.js'

function setUp(cleanup: Parameters<typeof makeFolder>[0], init: string[] = []) {
  const folder = makeFolder(cleanup)
  const repository = new TestRepository(join(folder, 'app.git'), init)
  const git = versionControl({ baseUrl: folder, home: folder })
  return { folder, repository, git }
}

/** Returns all pages of a list. */
async function all<Item>(
  read: (cursor?: string) => Promise<{ items: Item[]; next?: string }>
): Promise<Item[][]> {
  const pages: Item[][] = []
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    pages.push(page.items)
    cursor = page.next
  } while (cursor !== undefined)
  return pages
}

test.group('git | reading', () => {
  test('a branch is what it is now, and null when there is none', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup)
    assert.isNull(await git.getBranch('main'))
    const first = repository.commit()
    assert.deepEqual(await git.getBranch('main'), { name: 'main', sha: first, protected: null })
    const second = repository.commit()
    assert.equal((await git.getBranch('main'))?.sha, second)
    // `ls-remote` takes the end of a name for the name.
    repository.commit({ branch: 'old/refs/heads/release' })
    assert.isNull(await git.getBranch('release'))
    assert.isNull(await git.getBranch('mai'))
    repository.git('update-ref', '-d', 'refs/heads/main')
    assert.isNull(await git.getBranch('main'))
  })

  test('an empty repository, or one whose HEAD names nothing, has nothing', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = setUp(cleanup)
    assert.deepEqual(await git.listTags(''), { items: [] })
    assert.equal(await reported(git.compare('main', 'other')), 'notFound branch notApplied')
    repository.commit({ branch: 'trunk' })
    repository.git('symbolic-ref', 'HEAD', 'refs/heads/nowhere')
    assert.isNull(await git.readFile('nothing', 'trunk'))
    assert.equal(await reported(git.readFile('nothing', 'nowhere')), 'notFound branch notApplied')
  })

  test('what one branch has and another has not, newest first, in both directions', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = setUp(cleanup)
    const root = repository.commit({ message: 'Root' })
    repository.git('branch', 'release/1.0', root)
    const one = repository.commit({
      message: 'Grüße aus Köln 👋\n\nLine two\r\nLine three\n',
      author: 'Zoë Ångström <zoe@acme.example>',
      at: 1_700_001_000,
    })
    repository.commit({ branch: 'release/1.0', message: 'Hotfix' })
    repository.git('branch', 'side', root)
    repository.commit({ branch: 'side', message: 'Side' })
    const merge = repository.commit({ message: 'Merge side', merge: 'refs/heads/side', files: {} })
    const { items, ahead, behind, next } = await git.compare('release/1.0', 'main')
    assert.deepEqual([ahead, behind, next], [3, 1, undefined])
    assert.deepEqual(
      items.map(({ message }) => message.split('\n')[0]),
      ['Merge side', 'Side', 'Grüße aus Köln 👋']
    )
    assert.lengthOf(items[0].parents, 2)
    assert.deepEqual(items[2], {
      sha: one,
      message: 'Grüße aus Köln 👋\n\nLine two\r\nLine three',
      author: 'Zoë Ångström',
      email: 'zoe@acme.example',
      at: '2023-11-14T22:30:00.000Z',
      parents: [root],
    })
    const back = await git.compare(merge, 'release/1.0')
    assert.deepEqual([back.ahead, back.behind, back.items.length], [1, 3, 1])
    const same = await git.compare('main', 'main')
    assert.deepEqual(same, { items: [], ahead: 0, behind: 0 })
  })

  test('5,000 commits come page by page, each once, whatever is pushed meanwhile', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = setUp(cleanup)
    const root = repository.commit({ branch: 'base' })
    repository.commits(5000)
    let pages = 0
    const items = (
      await all((cursor) => {
        if (++pages === 2) repository.commit({ message: 'Meanwhile' })
        return git.compare('base', 'main', cursor)
      })
    ).flat()
    assert.equal(pages, 3)
    assert.lengthOf(new Set(items.map(({ sha }) => sha)), 5000)
    assert.equal(items[0].message, 'Change 5000')
    assert.equal(items.at(-1)?.message, 'Change 1')
    assert.equal((await git.compare(root, 'main')).ahead, 5001)
    for (const cursor of ['x', btoa('[]'), btoa('["main","base",0]'), btoa('{"a":1}')]) {
      assert.equal(await reported(git.compare('base', 'main', cursor)), 'invalid cursor notApplied')
    }
  })

  test('tags stand for commits, annotated or not, newest first and page by page', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = setUp(cleanup)
    const sha = repository.commit({ at: 1_700_000_000 })
    repository.git('tag', 'v1.0.0', sha)
    const later = repository.commit({ at: 1_700_000_100 })
    repository.git('tag', '-a', 'v2.0.0', '-m', 'Two', later)
    repository.git('tag', '-a', 'v2.0.0-again', '-m', 'A tag of a tag', 'v2.0.0')
    const blob = repository.git('hash-object', '-w', '--stdin', { input: 'no commit' })
    repository.git('tag', 'v0-blob', blob)
    repository.git('tag', 'ünïcode/🎉', sha)
    const { items } = await git.listTags('v')
    const byName = new Map(items.map((tag) => [tag.name, tag]))
    assert.sameMembers([...byName.keys()], ['v1.0.0', 'v2.0.0', 'v2.0.0-again'])
    assert.deepEqual(byName.get('v1.0.0'), {
      name: 'v1.0.0',
      sha,
      at: '2023-11-14T22:13:20.000Z',
    })
    assert.equal(byName.get('v2.0.0')?.sha, later)
    assert.equal(byName.get('v2.0.0-again')?.sha, later)
    assert.deepEqual(
      (await git.listTags('ü')).items.map(({ name }) => name),
      ['ünïcode/🎉']
    )
    const lines = Array.from({ length: 1100 }, (_, index) => `create refs/tags/n/${index} ${sha}\n`)
    repository.git('update-ref', '--stdin', { input: lines.join('') })
    const pages = await all((cursor) => git.listTags('n/', cursor))
    assert.deepEqual(
      pages.map((page) => page.length),
      [500, 500, 100]
    )
    assert.lengthOf(new Set(pages.flat().map(({ name }) => name)), 1100)
  })

  test('a tag that is moved or removed is seen as it is now', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup)
    const [one, two] = [repository.commit(), repository.commit()]
    repository.git('tag', 'latest', one)
    assert.equal((await git.listTags('')).items[0].sha, one)
    repository.git('tag', '--force', 'latest', two)
    assert.equal((await git.listTags('')).items[0].sha, two)
    repository.git('tag', '-d', 'latest')
    assert.deepEqual(await git.listTags(''), { items: [] })
    // A branch becomes a folder of branches.
    repository.git('branch', 'x', one)
    assert.equal((await git.compare('x', 'main')).ahead, 1)
    repository.git('branch', '-D', 'x')
    repository.git('branch', 'x/y', two)
    assert.equal((await git.compare('x/y', 'main')).ahead, 0)
  })

  test('a file is returned byte by byte; anything else is null', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup)
    const submodule = repository.commit({ branch: 'elsewhere' })
    repository.commit({
      files: {
        'windows.txt': 'one\r\ntwo\r\n',
        'bom.txt': '\ufeffHello',
        'häßlich/文件.txt': 'Ünïcode',
        '-rf': 'a dash',
        'glob*': 'a star',
        'globe': 'no star',
        'empty': '',
        'link': { link: '/etc/passwd' },
        'module': { submodule },
        '.gitattributes': '*.txt text eol=lf filter=evil ident\n',
      },
    })
    const read = async (path: string) => (await git.readFile(path, 'main'))?.text ?? null
    assert.equal(await read('windows.txt'), 'one\r\ntwo\r\n')
    assert.equal(await read('bom.txt'), '\ufeffHello')
    assert.equal(await read('häßlich/文件.txt'), 'Ünïcode')
    assert.equal(await read('-rf'), 'a dash')
    assert.equal(await read('glob*'), 'a star')
    assert.equal(await read('empty'), '')
    for (const path of ['link', 'module', 'häßlich', 'nothing', 'link/passwd', 'glob?']) {
      assert.isNull(await read(path), path)
    }
    const { sha } = (await git.readFile('empty', 'main'))!
    assert.equal(sha, repository.git('rev-parse', 'main:empty'))
  })

  test('a file that is too large or no text says so', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup)
    const large = Buffer.alloc(6 * 1024 * 1024, 'x')
    repository.commit({
      files: { large, 'binary': Buffer.from([0xff, 0xfe, 0x00]), 'ok.txt': 'ok' },
    })
    assert.equal(await reported(git.readFile('large', 'main')), 'invalid too_large notApplied')
    assert.equal(await reported(git.readFile('binary', 'main')), 'invalid no_text notApplied')
    assert.equal((await git.readFile('ok.txt', 'main'))?.text, 'ok')
  })

  test('a repository of SHA-256 is worked with as well', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup, ['--object-format=sha256'])
    const sha = repository.commit()
    assert.lengthOf(sha, 64)
    assert.deepEqual(await git.createBranch('release/1', sha, mutation()), {
      name: 'release/1',
      sha,
    })
    assert.equal((await git.compare(sha, 'release/1')).ahead, 0)
  })

  test('a remote that is gone is an error, and never an old answer', async ({
    assert,
    cleanup,
  }) => {
    const { folder, repository, git } = setUp(cleanup)
    repository.commit({ files: { a: '1' } })
    assert.equal((await git.readFile('a', 'main'))?.text, '1')
    rmSync(join(folder, 'app.git'), { recursive: true })
    for (const call of [
      () => git.readFile('a', 'main'),
      () => git.compare('main', 'main'),
      () => git.listTags(''),
      () => git.getBranch('main'),
    ]) {
      assert.equal(await reported(call()), 'notFound repository notApplied')
    }
  })

  test('a mirror that is broken is made anew', async ({ assert, cleanup }) => {
    const { folder, repository, git } = setUp(cleanup)
    repository.commit({ files: { a: 'kept' } })
    const read = async () => (await git.readFile('a', 'main'))?.text
    assert.equal(await read(), 'kept')
    const mirrors = join(folder, 'git-1')
    const mirror = join(
      mirrors,
      readdirSync(mirrors).find((name) => name.endsWith('.git'))!
    )
    for (const damage of [
      () => rmSync(join(mirror, 'HEAD')),
      () => rmSync(join(mirror, 'objects'), { recursive: true }),
      () => writeFileSync(join(mirror, 'config'), '[core\nbroken'),
      () => writeFileSync(join(mirror, 'packed-refs'), 'broken'),
      () => {
        repository.commit()
        writeFileSync(join(mirror, 'refs/heads/main.lock'), '')
      },
      () => {
        const packs = join(mirror, 'objects/pack')
        rmSync(packs, { recursive: true })
        const objects = readdirSync(join(mirror, 'objects')).filter((name) => name.length === 2)
        for (const each of objects) rmSync(join(mirror, 'objects', each), { recursive: true })
      },
    ]) {
      damage()
      assert.equal(await read(), 'kept', damage.toString())
    }
  }).timeout(60_000)

  test('names that lead elsewhere are refused before git sees them', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = setUp(cleanup)
    repository.commit()
    for (const name of [
      '',
      '-x',
      '--upload-pack=evil',
      'a b',
      'a..b',
      'main~1',
      'main^',
      'main:1.txt',
      '@{-1}',
      '@',
      'a/-b',
      'a//b',
      '/a',
      'a/',
      '.a',
      'a.lock',
      'a.lock/b',
      'a\nb',
      'a\0b',
      'ma\u202ein',
      'ma\u200bin',
      ':/Commit',
      'x'.repeat(201),
    ]) {
      for (const call of [
        () => git.getBranch(name),
        () => git.compare(name, 'main'),
        () => git.compare('main', name),
        () => git.readFile('1.txt', name),
        () => git.createBranch(name, '0'.repeat(40), mutation()),
        () => git.createTag(name, '0'.repeat(40), '', mutation()),
      ]) {
        assert.equal(await reported(call()), 'invalid name notApplied', JSON.stringify(name))
      }
    }
    for (const path of [
      '',
      '/etc/passwd',
      '../x',
      'a/../b',
      '.git/config',
      'a//b',
      'a\0',
      '.GIT/x',
    ]) {
      assert.equal(await reported(git.readFile(path, 'main')), 'invalid path notApplied', path)
    }
    assert.equal(
      await reported(git.createBranch('ok', 'main', mutation())),
      'invalid hash notApplied'
    )
  })

  test('pull requests are not its feature, and a caller gets that error', async ({
    assert,
    cleanup,
  }) => {
    const { git } = setUp(cleanup)
    const given: VersionControl = git
    for (const name of ['openPullRequest', 'mergePullRequest', 'createRelease'] as const) {
      const error = await failure(Promise.resolve().then(() => feature(given, name)))
      assert.deepEqual([error.code, error.detail.outcome], ['unsupported', 'notApplied'])
    }
  })
})
