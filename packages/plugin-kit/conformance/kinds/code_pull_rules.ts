import assert from 'node:assert/strict'
import type { VersionControl } from '../../capabilities/source.js'
import { failsWith } from '../expecting.js'
import {
  BEGIN,
  BESIDE,
  Code,
  CONFLICTING,
  FIX,
  MAIN,
  manyPullsScenario,
  PICTURE,
  PULL,
  pullScenario,
  RELEASE,
  TAG,
  WORK,
} from './code.js'
import type { KindRule } from './suite.js'

/** More than a page of most providers. */
const MANY = 120

/** Rules about pull requests, releases, commit statuses and patch ids. */
export const pullRules: KindRule<VersionControl>[] = [
  {
    id: 'C18',
    title: 'a request to merge is opened once for its key, with its branches and text',
    feature: 'openPullRequest',
    async run(bench, capability) {
      const code = new Code(bench)
      await capability.createBranch('patch', code.sha(FIX), bench.mutation())
      const mutation = bench.mutation()
      const open = () => capability.openPullRequest!('patch', RELEASE, 'Fix ✓', 'Why', mutation)
      const pull = await open()
      const { title, head, base, sha, status } = pull
      assert.deepEqual(
        [title, head, base, sha, status.state],
        ['Fix ✓', 'patch', RELEASE, code.sha(FIX), 'open']
      )
      assert.equal((await open()).number, pull.number)
      assert.equal(code.now.pulls.filter((each) => each.head === 'patch').length, 1)
    },
  },
  {
    id: 'C19',
    title: 'a request to merge is reported as it is, and one that does not exist is null',
    feature: 'getPullRequest',
    async run(bench, capability) {
      assert.equal(await capability.getPullRequest!(404), null)
      for (const state of ['draft', 'open', 'merged', 'closed'] as const) {
        bench.seed(pullScenario(state))
        const pull = await capability.getPullRequest!(PULL)
        assert.equal(pull?.status.state, state)
        assert.deepEqual([pull.head, pull.base], [BESIDE, MAIN])
      }
    },
  },
  {
    id: 'C20',
    title: 'the requests that a commit came by are found, and no others',
    feature: 'pullRequestsForCommit',
    async run(bench, capability) {
      const code = new Code(bench)
      const found = async (message: string) =>
        (await capability.pullRequestsForCommit!(code.sha(message))).map(({ number }) => number)
      assert.deepEqual(await found(PICTURE), [PULL])
      assert.deepEqual(await found(BEGIN), [])
    },
  },
  {
    id: 'C21',
    title: 'a request to merge is merged only at the commit that was looked at',
    feature: 'mergePullRequest',
    async run(bench, capability) {
      const code = new Code(bench)
      const merge = (sha: string) =>
        capability.mergePullRequest!(PULL, 'merge', sha, bench.mutation())
      await failsWith(merge(code.sha(FIX)), 'conflict', 'preconditionFailed')
      assert.equal(code.now.pulls[0].state, 'open')
      assert.equal(code.tip(MAIN), code.sha(CONFLICTING))
      assert.equal((await merge(code.sha(PICTURE))).status.state, 'merged')
      assert.equal(code.now.pulls[0].state, 'merged')
    },
  },
  {
    id: 'C22',
    title: 'a release stands at its tag once, with its title and notes',
    feature: 'createRelease',
    async run(bench, capability) {
      const mutation = bench.mutation()
      const create = () => capability.createRelease!(TAG, 'Version 1', 'What is “new”', mutation)
      const first = await create()
      assert.equal((await create()).id, first.id)
      const { releases } = new Code(bench).now
      assert.deepEqual(releases, [{ tag: TAG, title: 'Version 1', notes: 'What is “new”' }])
    },
  },
  {
    id: 'C23',
    title: 'requests that wait to be merged are listed page by page, drafts among them, no others',
    feature: 'listOpenPullRequests',
    async run(bench, capability) {
      const listed = async () => {
        const numbers: number[] = []
        let cursor: string | undefined
        do {
          const { items, next } = await capability.listOpenPullRequests!(cursor)
          numbers.push(...items.map(({ number }) => number))
          cursor = next
        } while (cursor !== undefined)
        return numbers.sort((one, other) => one - other)
      }
      for (const [state, expected] of [
        ['draft', [PULL]],
        ['open', [PULL]],
        ['merged', []],
        ['closed', []],
      ] as const) {
        bench.seed(pullScenario(state))
        assert.deepEqual(await listed(), expected, `One that is ${state}`)
      }
      bench.seed(manyPullsScenario(MANY))
      assert.deepEqual(
        await listed(),
        Array.from({ length: MANY }, (_, index) => index + 1)
      )
    },
  },
  {
    id: 'C24',
    title: 'a commit carries a status under its name, as it was last set',
    feature: 'setStatus',
    async run(bench, capability) {
      const code = new Code(bench)
      const sha = code.sha(PICTURE)
      const set = (name: string, state: 'pending' | 'success' | 'failure', description: string) =>
        capability.setStatus!(sha, { name, state, description }, bench.mutation())
      await set('fix', 'pending', 'It waits')
      await set('other', 'failure', 'No')
      await set('fix', 'success', 'It is approved ✓')
      const carried = (code.now.statuses ?? []).filter((each) => each.sha === sha)
      const last = new Map(carried.map((each) => [each.name, `${each.state} ${each.description}`]))
      assert.deepEqual(Object.fromEntries(last), {
        fix: 'success It is approved ✓',
        other: 'failure No',
      })
    },
  },
  {
    id: 'C25',
    title: 'the same change has the same patch id wherever it is, and another has another',
    feature: 'patchIds',
    async run(bench, capability) {
      const code = new Code(bench)
      const [fix, work] = [code.sha(FIX), code.sha(WORK)]
      const { sha: picked } = await capability.cherryPick(fix, RELEASE, RELEASE, bench.mutation())
      const unknown = 'f'.repeat(fix.length)
      const ids = await capability.patchIds!([fix, picked, work, unknown])
      assert.ok(ids[fix], 'The change has none')
      assert.equal(ids[picked], ids[fix])
      assert.notEqual(ids[work], ids[fix])
      assert.equal(ids[unknown], undefined)
    },
  },
]
