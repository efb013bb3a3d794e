import assert from 'node:assert/strict'
import type { Commit, VersionControl } from '../../capabilities/source.js'
import { failsWith } from '../expecting.js'
import {
  BEGIN,
  Code,
  CONFLICTING,
  FIX,
  longScenario,
  MAIN,
  RELEASE,
  STRINGS,
  TAG,
  TEXT,
  WORK,
} from './code.js'
import type { KindRule } from './suite.js'

/** Number of commits in a long comparison. */
const COMMIT_COUNT = 230
/** Maximum number of pages of that comparison. */
const MAX_PAGES = COMMIT_COUNT + 10

/** Rules about branches, comparisons, tags and reading files. */
export const branchRules: KindRule<VersionControl>[] = [
  {
    id: 'C1',
    title: 'a branch is reported with the commit that it is at',
    async run(bench, capability) {
      const found = await capability.getBranch(RELEASE)
      const reported = { name: found?.name, sha: found?.sha }
      assert.deepEqual(reported, { name: RELEASE, sha: new Code(bench).sha(STRINGS) })
    },
  },
  {
    id: 'C2',
    title: 'a branch is cut at the commit that is asked for, and is the same when asked for again',
    async run(bench, capability) {
      const code = new Code(bench)
      const sha = code.sha(WORK)
      const cut = () => capability.createBranch('release/1.1.0', sha, bench.mutation())
      assert.equal((await cut()).sha, sha)
      assert.equal((await cut()).sha, sha)
      assert.equal(code.tip('release/1.1.0'), sha)
    },
  },
  {
    id: 'C3',
    title: 'a branch that is there at another commit is a conflict, and stays where it is',
    async run(bench, capability) {
      const code = new Code(bench)
      const call = capability.createBranch(RELEASE, code.sha(BEGIN), bench.mutation())
      await failsWith(call, 'conflict')
      assert.equal(code.tip(RELEASE), code.sha(STRINGS))
    },
  },
  {
    id: 'C4',
    title:
      'a comparison has the commits that the base lacks (all without a base), newest first, and both counts',
    async run(bench, capability) {
      const code = new Code(bench)
      const { items, ahead, behind, next } = await capability.compare(RELEASE, MAIN)
      assert.deepEqual(shasOf(items), [code.sha(CONFLICTING), code.sha(FIX)])
      assert.deepEqual([ahead, behind, next], [2, 1, undefined])
      const [, { message, author, parents, at }] = items
      assert.deepEqual([message.trim(), author, parents], [FIX, 'Ada Lovelace', [code.sha(WORK)]])
      assert.equal(Date.parse(at), Date.parse(code.commit(code.sha(FIX))!.at))
      const same = await capability.compare(MAIN, code.sha(FIX))
      assert.deepEqual([same.items, same.ahead, same.behind], [[], 0, 1])
      const all = await capability.compare(null, RELEASE)
      assert.deepEqual([all.ahead, all.behind], [all.items.length, 0])
      assert.deepEqual(all.items.at(-1)?.parents, [])
      assert.ok(shasOf(all.items).includes(code.sha(STRINGS)))
    },
  },
  {
    id: 'C5',
    title: 'a long comparison has every commit once, with the counts of all on each page',
    async run(bench, capability) {
      bench.seed(longScenario(COMMIT_COUNT))
      const seen: string[] = []
      let cursor: string | undefined
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const { items, next, ahead, behind } = await capability.compare(RELEASE, MAIN, cursor)
        assert.deepEqual([ahead, behind], [COMMIT_COUNT + 2, 1])
        seen.push(...items.map(({ message }) => message.trim()))
        cursor = next
        if (cursor === undefined) break
      }
      const changes = Array.from(
        { length: COMMIT_COUNT },
        (_, index) => `Change ${COMMIT_COUNT - index}`
      )
      assert.deepEqual(seen, [...changes, CONFLICTING, FIX])
    },
  },
  {
    id: 'C6',
    title: 'a comparison with what does not exist is reported as such, not as no difference',
    async run(_bench, capability) {
      await failsWith(capability.compare('nowhere', MAIN), 'notFound')
      await failsWith(capability.compare(MAIN, 'nowhere'), 'notFound')
    },
  },
  {
    id: 'C7',
    title: 'tags are reported with their commits, and only those with the given prefix',
    async run(bench, capability) {
      const code = new Code(bench)
      await capability.createTag('2.0.0', code.sha(FIX), 'Two', bench.mutation())
      const { items } = await capability.listTags('1.')
      const reported = items.map(({ name, sha }) => ({ name, sha }))
      assert.deepEqual(reported, [{ name: TAG, sha: code.sha(WORK) }])
      assert.ok(!Number.isNaN(Date.parse(items[0].at)), 'It does not say when')
      assert.deepEqual((await capability.listTags('.0')).items, [])
    },
  },
  {
    id: 'C8',
    title: 'a tag is made once for its commit, and is a conflict for another',
    async run(bench, capability) {
      const code = new Code(bench)
      const [fix, begin] = [code.sha(FIX), code.sha(BEGIN)]
      const tag = (sha: string) => capability.createTag('1.1.0', sha, 'Version', bench.mutation())
      await tag(fix)
      await tag(fix)
      await failsWith(tag(begin), 'conflict')
      assert.equal(code.tag('1.1.0'), fix)
    },
  },
  {
    id: 'C9',
    title: 'a file is read as it is, byte by byte, and what is not there is null',
    async run(_bench, capability) {
      const file = await capability.readFile('docs/notes.txt', MAIN)
      assert.equal(file?.text, TEXT)
      assert.equal((await capability.readFile('version.txt', RELEASE))?.text, '1.0.1\n')
      assert.equal((await capability.readFile('version.txt', TAG))?.text, '1.0.0\n')
      assert.equal(await capability.readFile('docs/nothing.txt', MAIN), null)
    },
  },
]

const shasOf = (commits: readonly Commit[]) => commits.map(({ sha }) => sha)
