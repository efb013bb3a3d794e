import fc from 'fast-check'
import { test } from '@japa/runner'
import type { Edge, Stored } from '#releases/engine/differences'
import type { ReleaseFacts } from '#releases/engine/facts'
import type { ReleaseStepStatus } from '#releases/vocabulary'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { differences } from '#releases/engine/differences'
import { evaluate } from '#releases/engine/evaluate'
import { applyWhatIf } from '#releases/engine/what_if'
import { whyNotMoving } from '#releases/engine/why_not_moving'
import { RELEASE_PHASES, REGRESSION_STATUSES } from '#releases/vocabulary'
import type { ItemKind, ItemStatus } from '../vocabulary.js'
import { ITEM_KINDS } from '../vocabulary.js'
import { LEGAL_ITEM_STATUSES } from '../engine/item_statuses.js'
import { arbitraryFacts } from './helpers/arbitrary_facts.js'
import { itemFacts, NOW, releaseFacts, stepFacts, workflow } from './helpers/release_facts.js'
import { runs } from '#tests/support/effort'

const RUNS = { numRuns: runs(400) }
const ANY: ReleaseStepStatus[] = ['notStarted', 'inProgress', 'blocked', 'complete']

/** The possible statuses by archetype, from the table in docs/explanation/statuses.md. */
const LEGAL: Record<ReleaseStepType, ReleaseStepStatus[]> = {
  kickoff: ['notStarted', 'blocked', 'complete'],
  featureReadiness: ANY,
  translations: ['notStarted', 'inProgress', 'complete'],
  rollbackBuild: ANY,
  releaseCandidate: ANY,
  regressionTesting: ANY,
  betaTesting: ANY,
  screenshots: ['notStarted', 'inProgress', 'complete'],
  metadata: ['notStarted', 'inProgress', 'complete'],
  approvals: ANY,
  submission: ANY,
  storeReview: ANY,
  takeoff: ['notStarted', 'inProgress', 'complete'],
  rollout: ANY,
}

/** Applies edges to the stored evaluation, as a caller does. */
function apply(stored: Stored, edges: Edge[]): Stored {
  const after = structuredClone(stored)
  for (const edge of edges) {
    switch (edge.kind) {
      case 'stepStatusChanged': {
        const step = after.steps.find(({ stepId }) => stepId === edge.stepId)
        if (step) step.status = edge.to
        else after.steps.push({ stepId: edge.stepId, status: edge.to })
        break
      }
      case 'regressionStatusChanged':
        after.regressionStatus = edge.to
        break
      case 'phaseChanged':
        after.phase = edge.to
        break
      case 'readyToSubmit':
      case 'noLongerReadyToSubmit':
        after.readyToSubmit = edge.kind === 'readyToSubmit'
        break
      case 'readyToRelease':
      case 'noLongerReadyToRelease':
        after.readyToRelease = edge.kind === 'readyToRelease'
    }
  }
  return after
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.values(value).forEach(deepFreeze)
  Object.freeze(value)
}

function withAllItemsDone(facts: ReleaseFacts): ReleaseFacts {
  return applyWhatIf(
    facts,
    facts.items.map(({ id, kind }) => ({ itemId: id, status: DONE_ITEM_STATUSES[kind][0] }))
  )
}

/** Statuses that count as done, by kind, as the specification lists them. */
const DONE_ITEM_STATUSES: Record<ItemKind, readonly ItemStatus[]> = {
  checklist: ['complete', 'notApplicable'],
  approval: ['approved'],
  regression: ['passed', 'notApplicable'],
}

test.group('Engine | properties', () => {
  test('evaluating any facts gives a complete, deterministic result without changing them', ({
    assert,
  }) => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const copy = structuredClone(facts)
        deepFreeze(facts)
        const evaluation = evaluate(facts, NOW)
        assert.deepEqual(evaluate(copy, NOW), evaluation)
        assert.deepEqual(
          evaluation.steps.map(({ stepId }) => stepId),
          facts.steps.map(({ id }) => id)
        )
        assert.include(RELEASE_PHASES, evaluation.phase)
        assert.include(REGRESSION_STATUSES, evaluation.regressionStatus)
        assert.isTrue(evaluation.nextEvaluationAt === null || evaluation.nextEvaluationAt > NOW)
        assert.equal(evaluation.phase === 'skipped', facts.skippedAt !== null)
        if (evaluation.finished) assert.equal(evaluation.phase, 'released')
      }),
      RUNS
    )
  })

  test('the time only affects the time of the next evaluation', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const now = { ...evaluate(facts, NOW), nextEvaluationAt: null }
        const then = { ...evaluate(facts, '2027-01-01T00:00:00.000Z'), nextEvaluationAt: null }
        assert.deepEqual(then, now)
      }),
      RUNS
    )
  })

  test('a step without required checklist items has a status its archetype knows', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const items = facts.items.filter(({ kind, required }) => kind !== 'checklist' || !required)
        const { steps } = evaluate({ ...facts, items }, NOW)
        facts.steps.forEach((step, index) =>
          assert.include(LEGAL[step.type], steps[index].status, step.type)
        )
      }),
      RUNS
    )
  })

  test('applying the differences to the stored evaluation gives the new one', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryFacts, arbitraryFacts, (before, after) => {
        const stored = evaluate(before, NOW)
        const evaluation = evaluate(after, NOW)
        const edges = differences(stored, evaluation)
        assert.deepEqual(differences(apply(stored, edges), evaluation), [])
        assert.deepEqual(differences(evaluation, evaluation), [])
        const named = edges.map((edge) => ('stepId' in edge ? edge.stepId : edge.kind))
        assert.lengthOf(named, new Set(named).size, 'each edge once')
      }),
      RUNS
    )
  })

  test('a step has an unmet condition if and only if it is not complete', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const { steps } = evaluate(facts, NOW)
        const result = whyNotMoving(facts, NOW)
        result.steps.forEach((step, index) => {
          assert.equal(step.status, steps[index].status)
          assert.equal(step.unmet.length > 0, step.status !== 'complete', step.type)
          for (const { message, who } of step.unmet) {
            assert.isNotEmpty(message)
            assert.isNotEmpty(who)
          }
        })
      }),
      RUNS
    )
  })

  test('a release has a reason not to move unless it has ended by its facts', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const reasons = whyNotMoving({ ...facts, automations: [] }, NOW).release
        const { finished } = evaluate(facts, NOW)
        const isOver = facts.completedAt !== null && facts.skippedAt === null
        assert.equal(reasons.length === 0, finished || isOver)
      }),
      RUNS
    )
  })

  test('the next evaluation is due when the next automatic event is', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const future = whyNotMoving(facts, NOW).next.filter(
          ({ at, what }) => at > NOW && !what.startsWith('target')
        )
        assert.equal(evaluate(facts, NOW).nextEvaluationAt, future[0]?.at ?? null)
        for (const { at } of future) assert.isTrue(at >= future[0].at)
      }),
      RUNS
    )
  })

  test('finishing every item makes no complete step incomplete', ({ assert }) => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const before = evaluate(facts, NOW).steps
        const after = evaluate(withAllItemsDone(facts), NOW).steps
        before.forEach(({ status }, index) => {
          if (status === 'complete') assert.equal(after[index].status, 'complete')
        })
      }),
      RUNS
    )
  })
})

test.group('Engine | walks', () => {
  const kinds = [
    itemFacts({ id: 'checklist', stepId: 'kickoff' }),
    itemFacts({ id: 'optional', stepId: 'kickoff', required: false }),
    itemFacts({ id: 'regression', stepId: 'regressionTesting', kind: 'regression' }),
    itemFacts({ id: 'approval', stepId: 'approvals', kind: 'approval' }),
  ]
  const start = releaseFacts({
    kickedOffAt: NOW,
    steps: workflow(
      stepFacts('kickoff'),
      stepFacts('regressionTesting'),
      stepFacts('approvals'),
      stepFacts('submission'),
      stepFacts('takeoff')
    ),
    items: kinds,
  })
  const write = fc
    .constantFrom(...kinds)
    .chain(({ id, kind }) =>
      fc.record({ itemId: fc.constant(id), status: fc.constantFrom(...LEGAL_ITEM_STATUSES[kind]) })
    )

  test('readiness changes exactly when the last required item is done or undone', ({ assert }) => {
    fc.assert(
      fc.property(fc.array(write, { minLength: 30, maxLength: 60 }), (writes) => {
        let facts = start
        let stored: Stored = evaluate(facts, NOW)
        let ready = false
        for (const change of writes) {
          const same = facts.items.some(
            ({ id, status }) => id === change.itemId && status === change.status
          )
          facts = applyWhatIf(facts, [change])
          const evaluation = evaluate(facts, NOW)
          const edges = differences(stored, evaluation)
          if (same) assert.deepEqual(edges, [])
          const readyNow = facts.items.every(
            ({ kind, status, required }) => !required || DONE_ITEM_STATUSES[kind].includes(status)
          )
          const seen = edges
            .filter(({ kind }) => kind === 'readyToSubmit' || kind === 'noLongerReadyToSubmit')
            .map(({ kind }) => kind)
          const expected = readyNow ? 'readyToSubmit' : 'noLongerReadyToSubmit'
          assert.deepEqual(seen, readyNow === ready ? [] : [expected])
          ready = readyNow
          stored = evaluation
        }
      }),
      { numRuns: runs(100) }
    )
  })

  test('the engine and this test agree on the statuses that count as done', ({ assert }) => {
    for (const kind of ITEM_KINDS) {
      for (const status of LEGAL_ITEM_STATUSES[kind]) {
        const { steps } = evaluate(
          releaseFacts({
            kickedOffAt: NOW,
            steps: [stepFacts(kind === 'regression' ? 'regressionTesting' : 'approvals')],
            items: [
              itemFacts({
                id: 'item',
                stepId: kind === 'regression' ? 'regressionTesting' : 'approvals',
                kind,
                status,
              }),
            ],
          }),
          NOW
        )
        const done = DONE_ITEM_STATUSES[kind].includes(status)
        assert.equal(steps[0].status === 'complete', done, `${kind} ${status}`)
      }
    }
  })
})
