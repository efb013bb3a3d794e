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
  PICTURE,
  PULL,
  pullScenario,
  RELEASE,
  TAG,
} from './code.js'
import type { KindRule } from './suite.js'

/** Requests to merge, and releases at the provider. */
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
    title: 'a request to merge is told as it is, and one that is not there is null',
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
]
