import { test } from '@japa/runner'
import type { ReleaseFacts, StepPart, SubmissionFacts, TakeoffFacts } from '#releases/engine/facts'
import { differences } from '#releases/engine/differences'
import { evaluate } from '#releases/engine/evaluate'
import { itemFacts, NOW, releaseFacts, stepFacts, workflow } from './helpers/release_facts.js'

const submission = (given: Partial<SubmissionFacts> = {}): StepPart => ({
  type: 'submission',
  facts: { selectedBuild: false, invalidBinary: false, submitted: false, ...given },
})
const review = (state: 'waiting' | 'inReview' | 'rejected' | 'approved' | null): StepPart => ({
  type: 'storeReview',
  facts: { state },
})
const takeoff = (given: Partial<TakeoffFacts> = {}): StepPart => ({
  type: 'takeoff',
  facts: { pending: false, released: false, notBefore: null, ...given },
})
const rollout = (
  state: 'active' | 'paused' | 'halted' | 'completed' | null,
  percentage = 0
): StepPart => ({ type: 'rollout', facts: { state, percentage, nextStage: null } })
const metadata = (approved: boolean): StepPart => ({
  type: 'metadata',
  facts: { edited: true, approved },
})

const SUBMITTED = submission({ selectedBuild: true, submitted: true })

/** Evaluates a kicked-off release with the given steps. */
function of(parts: StepPart[], given: Partial<ReleaseFacts> = {}) {
  return evaluate(
    releaseFacts({
      kickedOffAt: NOW,
      steps: workflow(...parts.map((part) => stepFacts(part))),
      ...given,
    }),
    NOW
  )
}

test.group('Engine | phase', () => {
  test('moves with the facts from upcoming to released', ({ assert }) => {
    const ready = metadata(true)
    const rows: [ReturnType<typeof of>['phase'], StepPart[], Partial<ReleaseFacts>?][] = [
      ['upcoming', [ready, submission()], { kickedOffAt: null }],
      ['kickedOff', [metadata(false), submission(), review(null), takeoff()]],
      ['readyToSubmit', [ready, submission(), review(null), takeoff()]],
      ['submitted', [ready, SUBMITTED, review('waiting'), takeoff()], { submittedAt: NOW }],
      ['inReview', [ready, SUBMITTED, review('inReview'), takeoff()]],
      ['readyToRelease', [ready, SUBMITTED, review('approved'), takeoff({ pending: true })]],
      ['inReview', [metadata(false), SUBMITTED, review('approved'), takeoff({ pending: true })]],
      [
        'rollingOut',
        [ready, SUBMITTED, review('approved'), takeoff({ released: true }), rollout('active', 2)],
      ],
      [
        'released',
        [ready, SUBMITTED, review('approved'), takeoff({ released: true }), rollout('active', 100)],
      ],
      ['released', [ready, SUBMITTED, review('approved'), takeoff({ released: true })]],
    ]
    for (const [expected, parts, given] of rows) {
      assert.equal(of(parts, given).phase, expected)
    }
  })

  test('is rejected until a new run of submission and review begins', ({ assert }) => {
    const parts = [metadata(true), SUBMITTED, review('rejected'), takeoff()]
    assert.equal(of(parts, { submittedAt: NOW }).phase, 'rejected')
    const again = [metadata(true), submission(), review(null), takeoff()]
    assert.equal(of(again, { submittedAt: NOW }).phase, 'readyToSubmit')
  })

  test('is skipped while the release is skipped, and the former phase afterwards', ({ assert }) => {
    const parts = [metadata(true), submission()]
    const skipped = of(parts, { skippedAt: NOW })
    assert.equal(skipped.phase, 'skipped')
    assert.isFalse(skipped.readyToSubmit)
    assert.equal(of(parts).phase, 'readyToSubmit')
  })

  test('is released when a person completed the release without any signal', ({ assert }) => {
    const parts = [metadata(false), submission()]
    const completed = of(parts, { completedAt: NOW, releasedAt: NOW })
    assert.equal(completed.phase, 'released')
    assert.equal(of(parts, { completedAt: NOW, kickedOffAt: null }).phase, 'upcoming')
  })

  test('is finished at the end of the rollout, or at takeoff without a rollout', ({ assert }) => {
    assert.isFalse(of([takeoff({ released: true }), rollout('active', 50)]).finished)
    assert.isTrue(of([takeoff({ released: true }), rollout('completed', 50)]).finished)
    assert.isTrue(of([takeoff({ released: true }), rollout(null)]).finished)
    assert.isFalse(of([takeoff({ pending: true })]).finished)
  })

  test('follows the slowest required destination and rolls out with the first', ({ assert }) => {
    const steps = (second: StepPart) => [
      stepFacts(review('approved'), { id: 'a', destinationId: 'a' }),
      stepFacts(review(null), { id: 'b', destinationId: 'b' }),
      stepFacts(takeoff({ released: true }), { id: 'c', destinationId: 'a' }),
      stepFacts(second, { id: 'd', destinationId: 'b' }),
    ]
    const phase = (second: StepPart) =>
      evaluate(releaseFacts({ kickedOffAt: NOW, steps: workflow(...steps(second)) }), NOW).phase
    assert.equal(phase(takeoff()), 'rollingOut')
    assert.equal(phase(takeoff({ released: true })), 'released')
  })

  test('an OTA release is ready to release without a store', ({ assert }) => {
    const ota = { storeKind: 'ota' } as const
    const open = of([metadata(false), takeoff()], ota)
    assert.equal(open.phase, 'kickedOff')
    const done = of([metadata(true), takeoff()], ota)
    assert.deepInclude(done, {
      phase: 'readyToRelease',
      readyToSubmit: false,
      readyToRelease: true,
    })
  })

  test('an approved but unreleased version is ready to release in either store', ({ assert }) => {
    const parts = (isDone: boolean) => [
      SUBMITTED,
      review('approved'),
      metadata(isDone),
      takeoff({ pending: true }),
    ]
    for (const storeKind of ['apple', 'google'] as const) {
      const done = of(parts(true), { storeKind })
      assert.deepInclude(done, { phase: 'readyToRelease', readyToRelease: true })
      const open = of(parts(false), { storeKind })
      assert.deepInclude(open, { phase: 'inReview', readyToRelease: false })
    }
  })
})

test.group('Engine | readiness', () => {
  test('waits for required steps before submission and for no others', ({ assert }) => {
    const steps = (given: { before: boolean; optional: boolean; after: boolean }) =>
      workflow(
        stepFacts(metadata(given.before), { id: 'before' }),
        stepFacts(metadata(given.optional), { id: 'optional', required: false }),
        stepFacts(submission()),
        stepFacts(metadata(given.after), { id: 'after' }),
        stepFacts(takeoff())
      )
    const ready = (given: { before: boolean; optional: boolean; after: boolean }) =>
      evaluate(releaseFacts({ kickedOffAt: NOW, steps: steps(given) }), NOW).readyToSubmit
    assert.isFalse(ready({ before: false, optional: true, after: true }))
    assert.isTrue(ready({ before: true, optional: false, after: false }))
  })

  test('depends on the order of steps within a group', ({ assert }) => {
    const steps = (first: boolean, last: boolean) => [
      stepFacts(metadata(first), { id: 'first', position: 0 }),
      stepFacts(submission(), { position: 1 }),
      stepFacts(metadata(last), { id: 'last', position: 2 }),
    ]
    const ready = (first: boolean, last: boolean) =>
      evaluate(releaseFacts({ kickedOffAt: NOW, steps: steps(first, last) }), NOW).readyToSubmit
    assert.isTrue(ready(true, false))
    assert.isFalse(ready(false, true))
  })

  test('a destination waits only for its own steps and the shared ones', ({ assert }) => {
    const facts = releaseFacts({
      kickedOffAt: NOW,
      steps: workflow(
        stepFacts(metadata(false), { id: 'other', destinationId: 'b' }),
        stepFacts(submission(), { id: 'a', destinationId: 'a' })
      ),
    })
    assert.isTrue(evaluate(facts, NOW).readyToSubmit)
  })

  test('the release of an apple app waits for steps after submission and for the store', ({
    assert,
  }) => {
    const ready = (approved: boolean, state: 'inReview' | 'approved') =>
      of([SUBMITTED, review(state), metadata(approved), takeoff()]).readyToRelease
    assert.isFalse(ready(false, 'approved'))
    assert.isFalse(ready(true, 'inReview'))
    assert.isTrue(ready(true, 'approved'))
  })
})

test.group('Engine | differences', () => {
  test('the last approval changes its step, then the readiness, then the phase', ({ assert }) => {
    const facts = (status: 'notStarted' | 'approved') =>
      releaseFacts({
        kickedOffAt: NOW,
        steps: workflow(stepFacts('kickoff'), stepFacts('approvals'), stepFacts('submission')),
        items: [itemFacts({ id: 'legal', stepId: 'approvals', kind: 'approval', status })],
      })
    const before = evaluate(facts('notStarted'), NOW)
    const after = evaluate(facts('approved'), NOW)
    assert.deepEqual(differences(before, after), [
      { kind: 'stepStatusChanged', stepId: 'approvals', from: 'notStarted', to: 'complete' },
      { kind: 'readyToSubmit' },
      { kind: 'phaseChanged', from: 'kickedOff', to: 'readyToSubmit' },
    ])
    assert.deepEqual(differences(after, before), [
      { kind: 'stepStatusChanged', stepId: 'approvals', from: 'complete', to: 'notStarted' },
      { kind: 'noLongerReadyToSubmit' },
      { kind: 'phaseChanged', from: 'readyToSubmit', to: 'kickedOff' },
    ])
  })

  test('the regression status changes before the steps that follow from it', ({ assert }) => {
    const facts = (handSet: 'passed' | null) =>
      releaseFacts({
        kickedOffAt: NOW,
        steps: workflow(
          stepFacts('kickoff'),
          stepFacts({ type: 'regressionTesting', facts: { handSet } }),
          stepFacts('submission')
        ),
        items: [itemFacts({ id: 'log-in', stepId: 'regressionTesting', kind: 'regression' })],
      })
    const before = evaluate(facts(null), NOW)
    const after = evaluate(facts('passed'), NOW)
    for (const edges of [differences(before, after), differences(after, before)]) {
      assert.deepEqual(
        edges.slice(0, 2).map(({ kind }) => kind),
        ['regressionStatusChanged', 'stepStatusChanged']
      )
    }
  })

  test('the regression status of several runs is that of the worst', ({ assert }) => {
    const of2 = (...handSets: ('notStarted' | 'inProgress' | 'blocked' | 'failed' | 'passed')[]) =>
      evaluate(
        releaseFacts({
          steps: handSets.map((handSet, index) =>
            stepFacts({ type: 'regressionTesting', facts: { handSet } }, { id: `run-${index}` })
          ),
        }),
        NOW
      ).regressionStatus
    assert.equal(of2(), 'notStarted')
    assert.equal(of2('passed', 'passed'), 'passed')
    assert.equal(of2('passed', 'notStarted'), 'inProgress')
    assert.equal(of2('notStarted', 'notStarted'), 'notStarted')
    assert.equal(of2('blocked', 'passed'), 'blocked')
    assert.equal(of2('blocked', 'failed'), 'failed')
  })

  test('a step that was not stored counts as not started', ({ assert }) => {
    const evaluation = evaluate(
      releaseFacts({ kickedOffAt: NOW, steps: [stepFacts('kickoff'), stepFacts('metadata')] }),
      NOW
    )
    assert.deepEqual(differences({ ...evaluation, steps: [] }, evaluation), [
      { kind: 'stepStatusChanged', stepId: 'kickoff', from: 'notStarted', to: 'complete' },
    ])
  })
})
