import { test } from '@japa/runner'
import { fileAt, workAway } from '#releases/tests/helpers/code_world'
import { makePlannedCode } from './support.js'

const FILE = 'package.json'

/** Returns a package file, with lines that others change. */
const at = (version: string, { license = 'MIT', main = 'index.js' } = {}) =>
  `{
  "name": "acme",
  "license": "${license}",
  "private": true,
  "version": "${version}",
  "type": "module",
  "engines": {},
  "main": "${main}"
}
`

/**
 * Makes a hotfix 1.1.1 of 1.1.0, which is under way on its branch and merged back once it is
 * released.
 */
async function makeHotfix(cleanup: Parameters<typeof makePlannedCode>[0], version = '1.1.1') {
  const code = await makePlannedCode(cleanup)
  const { repository, admin, automate, path } = code
  await code.setVersionFiles(FILE)
  repository.git(
    'tag',
    'v1.1.0',
    repository.commit({ files: { [FILE]: at('1.1.0'), 'a.txt': 'a\n' } })
  )
  await automate('backMergeAfterRelease')
  const branch = `hotfix/${version}`
  const input = {
    ...{ version, releaseType: 'hotfix', baseTag: { name: 'v1.1.0' } },
    ...{ createBranch: true, bumpVersion: true },
  }
  const made = await admin.post(code.at('release'), input)
  if (made.status !== 201) throw new Error(made.text)
  await workAway()
  return {
    ...code,
    branch,
    ship: async () => {
      await admin.put(`${path(version)}/complete`)
      await workAway()
      const events = await code.timeline(version)
      return events.find(({ type }: any) => type.startsWith('release.backMerge'))
    },
  }
}

test.group('Versions that were written on both branches', () => {
  test('do not conflict in a back-merge: the higher one wins, and other changes are kept', async ({
    assert,
    cleanup,
  }) => {
    for (const [ofMain, wanted] of [
      ['1.2.0', '1.2.0'],
      ['1.1.0.1', '1.1.1'],
    ]) {
      const code = await makeHotfix(cleanup)
      const { repository, branch, ship } = code
      repository.commit({ files: { [FILE]: at(ofMain, { license: 'Apache-2.0' }) } })
      repository.commit({ branch, files: { [FILE]: at('1.1.1', { main: 'start.js' }) } })
      assert.containsSubset(await ship(), { type: 'release.backMerged', data: { merged: true } })
      const both = at(wanted, { license: 'Apache-2.0', main: 'start.js' })
      assert.equal(fileAt(code, 'main', FILE), both.trim())
      assert.equal(repository.git('rev-parse', 'main^2'), repository.git('rev-parse', branch))
      assert.equal(fileAt(code, branch, FILE), at('1.1.1', { main: 'start.js' }).trim())
      assert.isTrue(repository.isSound())
    }
  })

  test('do not hide other conflicts, in their file or elsewhere', async ({ assert, cleanup }) => {
    for (const [ours, theirs, files] of [
      [
        { [FILE]: at('1.2.0', { main: 'a.js' }) },
        { [FILE]: at('1.1.1', { main: 'b.js' }) },
        [FILE],
      ],
      [{ [FILE]: at('1.2.0'), 'a.txt': 'b\n' }, { 'a.txt': 'c\n' }, ['a.txt', FILE]],
    ] as const) {
      const { repository, branch, ship } = await makeHotfix(cleanup)
      const before = repository.commit({ files: ours as Record<string, string> })
      repository.commit({ branch, files: theirs as Record<string, string> })
      const failed = await ship()
      assert.equal(failed.type, 'release.backMergeFailed')
      assert.sameMembers(failed.data.files, [...files])
      assert.equal(repository.git('rev-parse', 'main'), before)
    }
  })
})
