import fc from 'fast-check'
import { test } from '@japa/runner'
import type { ReleaseAction, TrainMember, TransitionFacts } from '#releases/engine/transitions'
import type { CreateEditReleaseType, ReleaseStatus } from '#releases/vocabulary'
import {
  allowedActions,
  RELEASE_ACTIONS,
  initialStatus,
  nextActive,
  ruleOn,
} from '#releases/engine/transitions'
import { runs } from '#tests/support/effort'

const NEW: TransitionFacts = {
  createType: 'release',
  kickedOffAt: null,
  submittedAt: null,
  statusBeforeSkip: null,
}
const KICKED_OFF = { ...NEW, kickedOffAt: '2026-11-20T12:00:00.000Z' }
const SUBMITTED = { ...KICKED_OFF, submittedAt: '2026-11-21T12:00:00.000Z' }

const member = (
  minor: number,
  status: ReleaseStatus,
  createType: CreateEditReleaseType = 'release'
): TrainMember => ({
  id: `app:1.${minor}.0`,
  version: { major: 1, minor, patch: 0 },
  createType,
  status,
})

test.group('Engine | transitions, row by row', () => {
  test('a new release is upcoming beside an active one, a hotfix or rollback always active', ({
    assert,
  }) => {
    assert.equal(initialStatus('release', []), 'active')
    assert.equal(initialStatus('release', [member(1, 'completed')]), 'active')
    assert.equal(initialStatus('release', [member(1, 'active')]), 'upcoming')
    assert.equal(initialStatus('release', [member(1, 'active', 'hotfix')]), 'active')
    assert.equal(initialStatus('hotfix', [member(1, 'active')]), 'active')
    assert.equal(initialStatus('rollback', [member(1, 'active')]), 'active')
  })

  test('the lowest upcoming version of the train is next, and only when none is active', ({
    assert,
  }) => {
    const upcoming = [member(10, 'upcoming'), member(9, 'upcoming'), member(1, 'completed')]
    assert.equal(nextActive(upcoming)?.id, 'app:1.9.0')
    assert.isNull(nextActive([...upcoming, member(2, 'active')]))
    assert.equal(nextActive([...upcoming, member(2, 'active', 'hotfix')])?.id, 'app:1.9.0')
    assert.isNull(nextActive([member(3, 'upcoming', 'rollback'), member(4, 'skipped')]))
  })

  test('each action has the expected result for each status', ({ assert }) => {
    const rows: [ReleaseStatus, ReleaseAction, TransitionFacts, string][] = [
      ['upcoming', 'kickoff', NEW, 'active'],
      ['upcoming', 'complete', NEW, 'release_not_kicked_off'],
      ['upcoming', 'skip', NEW, 'skipped'],
      ['upcoming', 'unskip', NEW, 'release_not_skipped'],
      ['upcoming', 'delete', NEW, 'deleted'],
      ['upcoming', 'changeVersion', NEW, 'upcoming'],
      ['active', 'kickoff', NEW, 'active'],
      ['active', 'complete', KICKED_OFF, 'completed'],
      ['active', 'skip', KICKED_OFF, 'skipped'],
      ['active', 'unskip', KICKED_OFF, 'release_not_skipped'],
      ['active', 'delete', KICKED_OFF, 'deleted'],
      ['active', 'delete', SUBMITTED, 'release_submitted'],
      ['active', 'changeVersion', NEW, 'active'],
      ['active', 'changeVersion', KICKED_OFF, 'release_kicked_off'],
      ['skipped', 'kickoff', NEW, 'release_skipped'],
      ['skipped', 'complete', NEW, 'release_skipped'],
      ['skipped', 'skip', NEW, 'skipped'],
      ['skipped', 'unskip', NEW, 'active'],
      ['skipped', 'delete', SUBMITTED, 'release_submitted'],
      ['completed', 'kickoff', SUBMITTED, 'release_completed'],
      ['completed', 'complete', SUBMITTED, 'completed'],
      ['completed', 'skip', SUBMITTED, 'release_completed'],
      ['completed', 'unskip', SUBMITTED, 'release_completed'],
      ['completed', 'delete', SUBMITTED, 'release_completed'],
      ['completed', 'changeVersion', SUBMITTED, 'release_completed'],
      ['completed', 'edit', SUBMITTED, 'completed'],
    ]
    for (const [status, action, facts, expected] of rows) {
      const ruling = ruleOn(status, action, facts, [])
      assert.equal(ruling.allowed ? ruling.to : ruling.code, expected, `${status} ${action}`)
    }
  })

  test('repeating an action with the same outcome writes nothing', ({ assert }) => {
    const repeated = [
      ruleOn('skipped', 'skip', NEW, []),
      ruleOn('completed', 'complete', SUBMITTED, []),
      ruleOn('active', 'kickoff', KICKED_OFF, []),
    ]
    for (const ruling of repeated) assert.deepInclude(ruling, { allowed: true, changes: false })
    assert.deepInclude(ruleOn('active', 'kickoff', NEW, []), { allowed: true, changes: true })
  })

  test('an unskipped release gets its status on the train like a new one', ({ assert }) => {
    const to = (facts: TransitionFacts, others: TrainMember[]) => {
      const ruling = ruleOn('skipped', 'unskip', facts, others)
      return ruling.allowed && ruling.to
    }
    const before = { ...NEW, statusBeforeSkip: 'active' as const }
    assert.equal(to(before, [member(2, 'active')]), 'upcoming')
    assert.equal(to(before, []), 'active')
    assert.equal(to({ ...KICKED_OFF, statusBeforeSkip: 'active' }, [member(2, 'active')]), 'active')
    assert.equal(to({ ...before, createType: 'hotfix' }, [member(2, 'active')]), 'active')
  })

  test('a refusal lists the allowed actions', ({ assert }) => {
    assert.deepEqual(allowedActions('upcoming', NEW), [
      'kickoff',
      'skip',
      'delete',
      'changeVersion',
      'edit',
    ])
    assert.deepEqual(allowedActions('active', SUBMITTED), ['complete', 'skip', 'edit'])
    assert.deepEqual(allowedActions('skipped', KICKED_OFF), ['unskip', 'delete', 'edit'])
    assert.deepEqual(allowedActions('completed', SUBMITTED), ['edit'])
  })
})

interface Member extends TrainMember {
  facts: TransitionFacts
}

type Move =
  | { kind: 'create'; createType: CreateEditReleaseType; minor: number }
  | { kind: 'action'; action: ReleaseAction; target: number }

const create = fc.record({
  kind: fc.constant('create' as const),
  createType: fc.constantFrom('release' as const, 'release' as const, 'hotfix' as const),
  minor: fc.integer({ min: 0, max: 50 }),
})
const action = (actions: readonly ReleaseAction[]) =>
  fc.record({
    kind: fc.constant('action' as const),
    action: fc.constantFrom(...actions),
    target: fc.nat({ max: 20 }),
  })

/** Applies a move to an app's releases as a caller does, and moves the train. */
function carryOut(releases: Member[], move: Move) {
  if (move.kind === 'create') {
    releases.push({
      ...member(move.minor, initialStatus(move.createType, releases)),
      id: `release-${releases.length}-${move.minor}`,
      createType: move.createType,
      facts: { ...NEW, createType: move.createType },
    })
    return
  }
  const index = move.target % Math.max(releases.length, 1)
  const release = releases[index]
  if (!release) return
  const others = releases.filter((other) => other !== release)
  const ruling = ruleOn(release.status, move.action, release.facts, others)
  if (!ruling.allowed) return
  if (ruling.to === 'deleted') {
    releases.splice(index, 1)
  } else {
    if (move.action === 'kickoff') release.facts = { ...release.facts, kickedOffAt: 'then' }
    release.status = ruling.to
  }
  const next = nextActive(releases)
  if (next) next.status = 'active'
}

const activeOnTrain = (releases: Member[]) =>
  releases.filter(({ status, createType }) => status === 'active' && createType !== 'hotfix')

test.group('Engine | transitions, any sequence', () => {
  test('without kickoffs, at most one release is active, and exactly one while any waits', ({
    assert,
  }) => {
    const actions = RELEASE_ACTIONS.filter((name) => name !== 'kickoff')
    fc.assert(
      fc.property(fc.array(fc.oneof(create, action(actions)), { maxLength: 40 }), (moves) => {
        const releases: Member[] = []
        for (const move of moves) {
          carryOut(releases, move)
          assert.isAtMost(activeOnTrain(releases).length, 1)
          if (releases.some(({ status }) => status === 'upcoming')) {
            assert.lengthOf(activeOnTrain(releases), 1)
          }
        }
      }),
      { numRuns: runs(300) }
    )
  })

  test('only a kickoff makes a second release active, and completed is final', ({ assert }) => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(create, action(RELEASE_ACTIONS)), { maxLength: 40 }),
        (moves) => {
          const releases: Member[] = []
          const completed = new Set<Member>()
          for (const move of moves) {
            carryOut(releases, move)
            const waiting = activeOnTrain(releases).filter(
              ({ facts }) => facts.kickedOffAt === null
            )
            assert.isAtMost(waiting.length, 1)
            for (const release of completed) {
              assert.equal(release.status, 'completed')
              assert.include(releases, release)
            }
            for (const release of releases) {
              if (release.status === 'completed') completed.add(release)
            }
          }
        }
      ),
      { numRuns: runs(300) }
    )
  })
})
