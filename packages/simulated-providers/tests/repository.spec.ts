import { test } from '@japa/runner'
import fc from 'fast-check'
import {
  checksOf,
  isMergeable,
  judgedAt,
  mergePull,
  openPull,
  pullNow,
  pullsFor,
  reviewOf,
  withStatus,
} from '../pulls.js'
import {
  cherryPick,
  commitFiles,
  createBranch,
  createTag,
  filesAt,
  isCodeRefused,
  mergeInto,
  reached,
  tipOf,
  USUAL_REPOSITORY,
  type CodeResult,
  type SimulatedRepository,
} from '../repository.js'
import { runs } from '../../../tests/support/effort.js'

const NOW = Date.parse('2026-11-20T12:00:00.000Z')
const how = (branch: string, key: string | null = null) => ({
  ...{ seed: 's', now: NOW, branch, message: `On ${branch}`, key },
})

function ok<Made>(result: CodeResult<Made>): SimulatedRepository {
  if (isCodeRefused(result)) throw new Error(result.refused)
  return result.repository
}
const why = (result: CodeResult<unknown>) => (isCodeRefused(result) ? result.refused : 'done')

const branches = fc.constantFrom('main', 'release', 'feature')
const action = fc.oneof(
  fc.record({
    commit: branches,
    path: fc.constantFrom('a', 'b', 'c', 'version.txt'),
    text: fc.constantFrom('1', '2', '3'),
  }),
  fc.record({ cut: fc.constantFrom('release', 'feature'), from: branches }),
  fc.record({ merge: branches, into: branches }),
  fc.record({ pick: fc.nat(30), onto: branches }),
  fc.record({ tag: fc.constantFrom('1', '2'), of: branches }),
  fc.record({ open: branches, into: branches }),
  fc.record({ accept: fc.integer({ min: 1, max: 4 }), isSquashed: fc.boolean() })
)
type Deed = typeof action extends fc.Arbitrary<infer Each> ? Each : never

function perform(code: SimulatedRepository, one: Deed): CodeResult<unknown> {
  const tip = (name: string) => tipOf(code, name) ?? ''
  if ('commit' in one) {
    return commitFiles(code, how(one.commit), [{ path: one.path, text: one.text }])
  }
  if ('cut' in one) return createBranch(code, one.cut, tip(one.from))
  if ('merge' in one) return mergeInto(code, how(one.into), tip(one.merge))
  if ('pick' in one) {
    const { sha } = code.commits[one.pick % code.commits.length]
    return cherryPick(code, how(one.onto), { sha, onto: one.onto })
  }
  if ('tag' in one) return createTag(code, NOW, { name: one.tag, sha: tip(one.of) })
  if ('open' in one) {
    const more = { title: 'Merge', body: '', key: null }
    return openPull(code, NOW, { head: one.open, base: one.into, ...more })
  }
  const pull = code.pulls.find(({ number }) => number === one.accept)
  const sha = pull ? pullNow(code, pull).sha : ''
  return mergePull(code, how('main'), { number: one.accept, sha, isSquashed: one.isSquashed })
}

/** The branches `release` and `feature`, which diverged from `main` a while ago. */
const BEGUN = ['release', 'feature'].reduce(
  (code, name, index) => ok(createBranch(code, name, code.commits[2 + index].sha)),
  USUAL_REPOSITORY
)

test.group('A simulated repository', () => {
  test('history only grows, whatever is done', ({ assert }) => {
    const outcomes = new Set<string>()
    fc.assert(
      fc.property(fc.array(action, { minLength: 8, maxLength: 25 }), (actions) => {
        let code: SimulatedRepository = BEGUN
        for (const one of actions) {
          const result = perform(code, one)
          outcomes.add(why(result))
          if (isCodeRefused(result)) continue
          const next = result.repository
          assert.deepEqual(next.commits.slice(0, code.commits.length), [...code.commits])
          for (const { name, sha } of code.branches) {
            assert.isTrue(reached(next, tipOf(next, name)!).has(sha), `${name} lost commits`)
          }
          const shas = next.commits.map(({ sha }) => sha)
          assert.lengthOf(new Set(shas), shas.length)
          for (const [index, { parents }] of next.commits.entries()) {
            for (const parent of parents) assert.isBelow(shas.indexOf(parent), index)
          }
          code = next
        }
        for (const stored of code.pulls) {
          const pull = pullNow(code, stored)
          if (isMergeable(code, pull) === null) continue
          const merging = { number: pull.number, sha: pull.sha, isSquashed: false }
          const merged = mergePull(code, how(pull.base), merging)
          assert.equal(why(merged) !== 'mergeConflict', isMergeable(code, pull))
        }
      }),
      { numRuns: runs(200), seed: 11 }
    )
    assert.includeMembers([...outcomes], ['done', 'mergeConflict', 'nothingToPick', 'refTaken'])
  })

  test('a merge has the changes of both sides, and a conflict names its files', ({ assert }) => {
    const begun = ok(createBranch(USUAL_REPOSITORY, 'release', tipOf(USUAL_REPOSITORY, 'main')!))
    const one = ok(commitFiles(begun, how('main'), [{ path: 'a.txt', text: 'a\n' }]))
    const both = ok(commitFiles(one, how('release'), [{ path: 'version.txt', text: '1.1.0\n' }]))
    const merged = ok(mergeInto(both, how('main'), tipOf(both, 'release')!))
    const files = filesAt(merged, tipOf(merged, 'main')!)
    assert.deepEqual([files.get('a.txt'), files.get('version.txt')], ['a\n', '1.1.0\n'])
    const other = ok(commitFiles(both, how('main'), [{ path: 'version.txt', text: '2.0.0\n' }]))
    const refused = mergeInto(other, how('main'), tipOf(other, 'release')!)
    assert.deepEqual(refused, { refused: 'mergeConflict', files: ['version.txt'] })
  })

  test('a request is found by its commits before and after it is merged', ({ assert }) => {
    const begun = ok(createBranch(USUAL_REPOSITORY, 'fix', tipOf(USUAL_REPOSITORY, 'main')!))
    const fixed = ok(commitFiles(begun, how('fix'), [{ path: 'fix.txt', text: 'fixed\n' }]))
    const sha = tipOf(fixed, 'fix')!
    const input = { head: 'fix', base: 'main', title: 'Fix', body: '', key: 'k' }
    const opened = ok(openPull(fixed, NOW, input))
    assert.deepEqual(ok(openPull(opened, NOW, { ...input, key: 'other' })), opened)
    const numbers = (code: SimulatedRepository) => pullsFor(code, sha).map(({ number }) => number)
    assert.deepEqual(numbers(opened), [1])
    const merged = ok(mergePull(opened, how('main'), { number: 1, sha, isSquashed: false }))
    assert.deepEqual(numbers(merged), [1])
    assert.deepEqual(pullsFor(merged, USUAL_REPOSITORY.commits[0].sha), [])
    const back = { ...input, head: 'main', base: 'fix', key: null }
    assert.equal(
      why(openPull(fixed, NOW, { ...back, base: 'main', head: 'main' })),
      'nothingToMerge'
    )
    assert.equal(why(openPull(merged, NOW, back)), 'done')
  })

  test('a protected branch accepts only what has passed checks and was approved', ({ assert }) => {
    const settings = { ...USUAL_REPOSITORY.settings, failingChecks: 0, changesRequested: 0 }
    const code = { ...USUAL_REPOSITORY, settings: { ...settings, protected: ['main'] } }
    const begun = ok(createBranch(code, 'fix', tipOf(code, 'main')!))
    const fixed = ok(commitFiles(begun, how('fix'), [{ path: 'fix.txt', text: 'fixed\n' }]))
    const input = { head: 'fix', base: 'main', title: 'Fix', body: '', key: 'k' }
    const opened = ok(openPull(fixed, NOW, input))
    const sha = tipOf(fixed, 'fix')!
    const merging = { number: 1, sha, isSquashed: false }
    const merge = (repository: SimulatedRepository, now: number) =>
      why(mergePull(repository, { ...how('main'), now }, merging))
    const { checksMs, reviewMs } = settings
    assert.equal(merge(opened, NOW), 'checksMissing')
    assert.equal(merge(opened, NOW + checksMs), 'reviewMissing')
    assert.equal(merge(opened, NOW + reviewMs), 'done')
    const strict = { ...opened, settings: { ...opened.settings, changesRequested: 1 } }
    assert.equal(merge(strict, NOW + reviewMs), 'reviewMissing')
    const judged = judgedAt(strict, { seed: 's', now: NOW + reviewMs }, sha)
    assert.equal(reviewOf(strict.settings, judged), 'changesRequested')
    const mark = { sha, name: 'legal', state: 'failure' as const, description: '' }
    const marked = { ...opened, statuses: withStatus([], mark) }
    assert.equal(merge(marked, NOW + reviewMs), 'checksMissing')
    const good = { ...mark, state: 'success' as const }
    const again = { ...marked, statuses: withStatus(marked.statuses, good) }
    assert.equal(merge(again, NOW + reviewMs), 'done')
  })

  test('checks of a commit end after a while, and fail as often as the settings say', ({
    assert,
  }) => {
    const { checksMs } = USUAL_REPOSITORY.settings
    const made = commitFiles(USUAL_REPOSITORY, how('main'), [{ path: 'a', text: '1' }])
    const code = ok(made)
    const sha = tipOf(code, 'main')!
    const checks = (seed: string, now: number) =>
      checksOf(code.settings, judgedAt(code, { seed, now }, sha))
    assert.equal(checks('s', NOW + checksMs - 1), 'pending')
    const endings = Array.from({ length: 400 }, (_, index) =>
      checks(`seed ${index}`, NOW + checksMs)
    )
    const failing = endings.filter((each) => each === 'failing').length / 400
    assert.closeTo(failing, USUAL_REPOSITORY.settings.failingChecks, 0.04)
    assert.notInclude(endings, 'pending')
  })
})
