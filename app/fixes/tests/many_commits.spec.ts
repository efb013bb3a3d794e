import { test } from '@japa/runner'
import type { BroughtCommit, ReleaseCode } from '#features/queries/release_code'
import { counted } from '#tests/support/counted'
import {
  codeStanding,
  expectedInside,
  lostCommits,
  mergeStanding,
  seenInside,
  waitingHashes,
} from '../code/wanted_code.js'

/** Returns the hash of a commit; neighbours differ from the first letter on. */
const hashOf = (index: number) =>
  ((index * 7919) % 0xffff_ffff).toString(16).padStart(8, '0').repeat(5)

const commits = (first: number, count: number): BroughtCommit[] =>
  Array.from({ length: count }, (_, index) => ({
    commit: {
      ...{ side: 'release' as const, hash: hashOf(first + index), place: index },
      ...{ message: `Change ${first + index}`, author: 'Ada', committedAt: '', url: null },
      ...{ parents: [hashOf(first + index - 1)], tickets: [], pickedFrom: [], reverts: [] },
      ...{ pullRequest: first + index, patchId: null },
    },
    broughtBy: null,
    keys: [`SHOP-${first + index}`],
    pullRequest: first + index,
  }))

/** Returns code with a number of released, waiting and common commits each. */
function codeOf(count: number) {
  const lists = { release: commits(1, count), both: commits(100_000, count) }
  return counted({
    ...lists,
    waiting: commits(200_000, count),
    features: { repository: 'acme/shop', releaseRange: { base: hashOf(0) }, workingRange: null },
    hashes: new Set<string>(),
  } as unknown as ReleaseCode)
}

const named = (numbers: readonly number[]) =>
  numbers.map((number) => ({ hash: hashOf(number), message: null, author: null, url: null }))

const request = (numbers: readonly number[], picks: object = {}) => ({
  commits: named(numbers),
  pullRequests: numbers.map((number) => number + 1),
  repository: 'acme/shop',
  ticketId: null,
  mergeHead: null,
  picks: picks as never,
})

const range = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + 2 * index)

test.group('Fix requests in a release of many commits', () => {
  test('the commits are indexed once, however much the requests name', ({ assert }) => {
    const readsOf = (count: number) => {
      const code = codeOf(count)
      const look = (names: number) => {
        const before = code.reads()
        const some = [...range(1, names), ...range(100_000, names), ...range(200_000, names)]
        const picked = (hash: string) => [hash, { state: 'picked', pickedAs: `f${hash.slice(1)}` }]
        const picks = Object.fromEntries(some.map((each) => picked(hashOf(each))))
        const requested = request(some)
        codeStanding(requested, code.value)
        mergeStanding(requested, code.value)
        seenInside(requested, code.value)
        waitingHashes(requested, code.value)
        lostCommits(requested, { base: '', commits: [{ hash: hashOf(1), text: '' }] }, code.value)
        expectedInside(request(some, picks), Object.keys(picks), code.value)
        return code.reads() - before
      }
      return [look(1), look(1), look(30)]
    }
    const [few, many] = [readsOf(500), readsOf(1000)]
    assert.isAtMost(many[0], 2.1 * few[0])
    // Data gathered for the first request serves all others.
    assert.deepEqual(many.slice(1), few.slice(1))
    assert.isAtMost(many[2], 31 * many[1])
  })

  test('code is found by hash, prefix, pull request and merge', ({ assert }) => {
    const code = codeOf(10).value
    const [merged] = code.waiting
    merged.broughtBy = 'f'.repeat(40)
    const of = (hash: string) =>
      waitingHashes({ ...request([]), commits: [{ hash } as never] }, code)
    assert.deepEqual(of(hashOf(200_003)), [hashOf(200_003)])
    assert.deepEqual(of(hashOf(200_003).slice(0, 7)), [hashOf(200_003)])
    assert.deepEqual(of('f'.repeat(12)), [hashOf(200_000)])
    assert.deepEqual(of(`${hashOf(200_003).slice(0, 8)}00`), [])
    const pull = { ...request([]), pullRequests: [200_004] }
    assert.deepEqual(waitingHashes(pull, code), [hashOf(200_004)])
    assert.deepEqual(waitingHashes({ ...pull, repository: 'acme/other' }, code), [])
    const ticket = { ...request([]), ticketId: 'shop-200005' }
    assert.deepEqual(waitingHashes(ticket, code), [hashOf(200_005)])
  })

  test('code that is in the release under another hash is found there, in order', ({ assert }) => {
    const code = codeOf(10).value
    const [, , third, , fifth] = code.release
    third.commit.message = 'The same'
    fifth.commit.pickedFrom = [hashOf(100_001)]
    const [first, second] = code.both
    first.commit.message = 'The same'
    assert.equal(second.commit.hash, hashOf(100_001))
    const found = seenInside({ ...request([]), pullRequests: [100_000, 100_001] }, code)
    assert.deepEqual(
      found!.map(({ of, hash }) => [of, hash]),
      [
        [0, third.commit.hash],
        [1, fifth.commit.hash],
      ]
    )
  })
})
