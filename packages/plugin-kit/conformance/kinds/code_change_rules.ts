import assert from 'node:assert/strict'
import type { VersionControl } from '../../capabilities/source.js'
import { failsWith } from '../expecting.js'
import { Code, CONFLICTING, FIX, MAIN, RELEASE, STRINGS, TEXT } from './code.js'
import type { KindRule } from './suite.js'

const PATCH = 'patch/crash'

/** Rules about committing files, cherry-picks and merges. */
export const changeRules: KindRule<VersionControl>[] = [
  {
    id: 'C10',
    title: 'files are committed to the tip of a branch as one commit, and others are left alone',
    async run(bench, capability) {
      const code = new Code(bench)
      const before = code.now.commits.length
      const files = [
        { path: 'version.txt', text: TEXT },
        { path: 'new/größe.txt', text: 'ü\n' },
      ]
      const created = await capability.commitFiles(RELEASE, files, 'Two files', bench.mutation())
      assert.deepEqual(created.parents, [code.sha(STRINGS)])
      assert.equal(code.tip(RELEASE), created.sha)
      assert.equal(code.now.commits.length, before + 1)
      const texts = ['version.txt', 'new/größe.txt', 'strings.txt', 'app.txt'].map(
        async (path) => (await capability.readFile(path, RELEASE))?.text
      )
      assert.deepEqual(await Promise.all(texts), [TEXT, 'ü\n', 'Hello\n', 'one\n'])
      assert.equal(code.tip(MAIN), code.sha(CONFLICTING))
    },
  },
  {
    id: 'C11',
    title: 'a file is committed over only while it is what it is to replace',
    async run(bench, capability) {
      const code = new Code(bench)
      const { sha: read } = (await capability.readFile('version.txt', MAIN))!
      const commit = (text: string, replaces: string) =>
        capability.commitFiles(
          MAIN,
          [{ path: 'version.txt', text, replaces }],
          `Version ${text}`,
          bench.mutation()
        )
      const { sha } = await commit('1.2.0\n', read)
      await failsWith(commit('1.3.0\n', read), 'conflict')
      assert.equal(code.tip(MAIN), sha)
    },
  },
  {
    id: 'C12',
    title: 'a commit is picked onto a branch with its message, and nothing of its neighbours',
    async run(bench, capability) {
      const code = new Code(bench)
      const before = code.tip(RELEASE)
      const { sha, branch } = await capability.cherryPick(
        code.sha(FIX),
        RELEASE,
        RELEASE,
        bench.mutation()
      )
      assert.deepEqual([branch, code.tip(RELEASE)], [RELEASE, sha])
      const picked = code.commit(sha)
      assert.deepEqual(picked?.parents, [before])
      assert.ok(picked.message.includes(FIX), 'The message is another')
      assert.equal((await capability.readFile('fix.txt', RELEASE))?.text, 'fixed\n')
      assert.equal((await capability.readFile('version.txt', RELEASE))?.text, '1.0.1\n')
    },
  },
  {
    id: 'C13',
    title: 'a commit that is picked to a branch of its own leaves the other where it was',
    async run(bench, capability) {
      const code = new Code(bench)
      const fix = code.sha(FIX)
      const { sha, branch } = await capability.cherryPick(fix, RELEASE, PATCH, bench.mutation())
      assert.deepEqual([branch, code.tip(PATCH)], [PATCH, sha])
      assert.deepEqual(code.commit(sha)?.parents, [code.sha(STRINGS)])
      assert.equal(code.tip(RELEASE), code.sha(STRINGS))
    },
  },
  {
    id: 'C14',
    title: 'a commit that does not apply is a conflict, and nothing is left behind',
    async run(bench, capability) {
      const code = new Code(bench)
      for (const branch of [RELEASE, PATCH]) {
        const call = capability.cherryPick(code.sha(CONFLICTING), RELEASE, branch, bench.mutation())
        const { detail } = await failsWith(call, 'conflict')
        assert.equal(detail.outcome, 'notApplied')
      }
      assert.equal(code.tip(RELEASE), code.sha(STRINGS))
      assert.equal(code.tip(PATCH), null, 'The branch is left behind')
    },
  },
  {
    id: 'C15',
    title: 'a pick that is repeated with its key is one commit',
    async run(bench, capability) {
      const code = new Code(bench)
      const mutation = bench.mutation()
      const pick = () => capability.cherryPick(code.sha(FIX), RELEASE, RELEASE, mutation)
      const first = await pick()
      assert.equal((await pick()).sha, first.sha)
      assert.equal(code.tip(RELEASE), first.sha)
    },
  },
  {
    id: 'C16',
    title: 'a branch is merged once, by a commit of its own',
    feature: 'mergeBranch',
    async run(bench, capability) {
      const code = new Code(bench)
      const fix = code.sha(FIX)
      await capability.createBranch('next', fix, bench.mutation())
      const into = await capability.commitFiles(
        'next',
        [{ path: 'next.txt', text: 'next\n' }],
        'Next',
        bench.mutation()
      )
      const from = code.tip(RELEASE)
      const merge = () => capability.mergeBranch!(RELEASE, 'next', 'Merge', bench.mutation())
      const { sha, isMerged } = await merge()
      assert.deepEqual([isMerged, code.tip('next')], [true, sha])
      assert.deepEqual(code.commit(sha)?.parents, [into.sha, from])
      assert.equal((await capability.readFile('strings.txt', 'next'))?.text, 'Hello\n')
      assert.equal((await capability.readFile('next.txt', 'next'))?.text, 'next\n')
      assert.deepEqual(await merge(), { sha, isMerged: false })
    },
  },
  {
    id: 'C17',
    title: 'a merge that does not apply is a conflict, and nothing is left behind',
    feature: 'mergeBranch',
    async run(bench, capability) {
      const code = new Code(bench)
      const call = capability.mergeBranch!(RELEASE, MAIN, 'Merge', bench.mutation())
      await failsWith(call, 'conflict')
      assert.equal(code.tip(MAIN), code.sha(CONFLICTING))
    },
  },
  {
    id: 'C26',
    title: 'a commit is merged with all before it, and nothing that came after it',
    feature: 'mergeBranch',
    async run(bench, capability) {
      const code = new Code(bench)
      await capability.createBranch('next', code.sha(FIX), bench.mutation())
      const into = await capability.commitFiles(
        'next',
        [{ path: 'next.txt', text: 'next\n' }],
        'Next',
        bench.mutation()
      )
      const from = code.tip(RELEASE)!
      const later = [{ path: 'later.txt', text: 'later\n' }]
      await capability.commitFiles(RELEASE, later, 'Later', bench.mutation())
      const { sha } = await capability.mergeBranch!(from, 'next', 'Merge', bench.mutation())
      assert.deepEqual(code.commit(sha)?.parents, [into.sha, from])
      assert.equal(await capability.readFile('later.txt', 'next'), null)
      const unknown = 'f'.repeat(from.length)
      const call = capability.mergeBranch!(unknown, 'next', 'Merge', bench.mutation())
      await failsWith(call, 'notFound')
      assert.equal(code.tip('next'), sha)
    },
  },
  {
    id: 'C27',
    title: 'files in conflict hold the texts that a merge gives for them, while they are as named',
    feature: 'mergeBranch',
    async run(bench, capability) {
      const code = new Code(bench)
      const path = 'version.txt'
      const change = [{ path, text: '1.0.1\n' }]
      await capability.commitFiles(RELEASE, change, 'Version 1.0.1', bench.mutation())
      const [ours, theirs] = await Promise.all(
        [MAIN, RELEASE].map(async (branch) => (await capability.readFile(path, branch))!.sha)
      )
      const merge = (names: { ours: string; theirs: string }) =>
        capability.mergeBranch!(RELEASE, MAIN, 'Merge', bench.mutation(), [
          { path, text: '2.0.0\n', ...names },
        ])
      const before = code.tip(MAIN)
      await failsWith(merge({ ours: theirs, theirs }), 'conflict')
      assert.equal(code.tip(MAIN), before)
      const from = code.tip(RELEASE)
      const { sha } = await merge({ ours, theirs })
      assert.deepEqual(code.commit(sha)?.parents, [before, from])
      assert.equal((await capability.readFile(path, MAIN))?.text, '2.0.0\n')
      assert.equal((await capability.readFile('strings.txt', MAIN))?.text, 'Hello\n')
    },
  },
]
