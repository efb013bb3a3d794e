import { test } from '@japa/runner'
import type { ItemFacts, ReleaseFacts, StepPart } from '#releases/engine/facts'
import type { ReleaseStepStatus } from '#releases/vocabulary'
import { assessSteps, evaluate } from '#releases/engine/evaluate'
import { neutralPart } from '#releases/engine/facts'
import { handSetAfterItemChange } from '#releases/engine/item_step_rules'
import { operations } from '#releases/routes/step_decisions'
import { RELEASE_STEP_TYPES } from '#workflow/vocabulary'
import { itemFacts, NOW, releaseFacts, stepFacts } from './helpers/release_facts.js'

type Item = Partial<ItemFacts>

function statusOf(
  part: StepPart,
  given: { items?: Item[]; required?: boolean; facts?: Partial<ReleaseFacts> } = {}
): ReleaseStepStatus {
  const items = (given.items ?? []).map((item, index) =>
    itemFacts({ id: `item-${index}`, stepId: 'step', ...item })
  )
  const step = stepFacts(part, { id: 'step', required: given.required ?? true })
  return evaluate(releaseFacts({ steps: [step], items, ...given.facts }), NOW).steps[0].status
}

const KICKED_OFF = { kickedOffAt: NOW }
const regression: StepPart = { type: 'regressionTesting', facts: { handSet: null } }
const approvals: StepPart = { type: 'approvals', facts: { handSet: null } }
const tested = (...statuses: ItemFacts['status'][]): Item[] =>
  statuses.map((status) => ({ kind: 'regression', status }))
const asked = (...statuses: ItemFacts['status'][]): Item[] =>
  statuses.map((status) => ({ kind: 'approval', status }))

test.group('Engine | step status, row by row', () => {
  test('every archetype begins as not started', ({ assert }) => {
    for (const type of RELEASE_STEP_TYPES) {
      assert.equal(statusOf(neutralPart(type)), 'notStarted', type)
    }
  })

  test('kickoff', ({ assert }) => {
    const failed: StepPart = { type: 'kickoff', facts: { blockedReason: 'The branch exists.' } }
    assert.equal(statusOf(failed), 'blocked')
    assert.equal(statusOf(neutralPart('kickoff'), { facts: KICKED_OFF }), 'complete')
    assert.equal(statusOf(failed, { facts: KICKED_OFF }), 'complete')
  })

  test('feature readiness', ({ assert }) => {
    const counted = (ready: number, notReady: number, ignored: number, missing: number) =>
      ({
        type: 'featureReadiness',
        facts: { counts: { ready, notReady, ignored, missing } },
      }) as const
    assert.equal(statusOf(counted(0, 0, 0, 0), { facts: KICKED_OFF }), 'notStarted')
    assert.equal(statusOf(counted(2, 1, 0, 0)), 'inProgress')
    assert.equal(statusOf(counted(2, 0, 0, 1)), 'inProgress', 'missing before kickoff')
    assert.equal(statusOf(counted(2, 0, 0, 1), { facts: KICKED_OFF }), 'blocked')
    assert.equal(statusOf(counted(2, 0, 1, 0)), 'complete')
  })

  test('translations', ({ assert }) => {
    const at = (...percentages: number[]): StepPart => ({
      type: 'translations',
      facts: { locales: percentages.map((percentage) => ({ locale: 'de', percentage })) },
    })
    assert.equal(statusOf(at(100, 99.9)), 'inProgress')
    assert.equal(statusOf(at(100, 100)), 'complete')
    assert.equal(statusOf(at()), 'complete', 'no locale is required')
  })

  test('rollback build and release candidate', ({ assert }) => {
    for (const type of ['rollbackBuild', 'releaseCandidate'] as const) {
      const rows = [
        ['pending', 'inProgress'],
        ['running', 'inProgress'],
        ['success', 'complete'],
        ['failed', 'blocked'],
        ['canceled', 'notStarted'],
        ['skipped', 'notStarted'],
      ] as const
      for (const [activeBuild, expected] of rows) {
        assert.equal(statusOf({ type, facts: { activeBuild } }), expected, activeBuild)
      }
    }
  })

  test('regression testing by its items', ({ assert }) => {
    const of = (...statuses: ItemFacts['status'][]) =>
      statusOf(regression, { items: tested(...statuses) })
    assert.equal(of('notStarted', 'notStarted'), 'notStarted')
    assert.equal(of('notStarted', 'passed'), 'inProgress')
    assert.equal(of('inProgress', 'notStarted'), 'inProgress')
    assert.equal(of('passed', 'failed'), 'blocked')
    assert.equal(of('notStarted', 'blocked'), 'blocked')
    assert.equal(of('passed', 'notApplicable'), 'complete')
  })

  test('regression testing with a status set by hand, which overrides the items', ({ assert }) => {
    const rows = [
      ['notStarted', 'notStarted'],
      ['inProgress', 'inProgress'],
      ['blocked', 'blocked'],
      ['failed', 'blocked'],
      ['passed', 'complete'],
    ] as const
    for (const [handSet, expected] of rows) {
      const part: StepPart = { type: 'regressionTesting', facts: { handSet } }
      assert.equal(statusOf(part, { items: tested('failed') }), expected, handSet)
      assert.equal(statusOf(part, { items: tested('passed') }), expected, handSet)
    }
  })

  test('a verdict survives a change of an item, a progress mark does not', ({ assert }) => {
    assert.isNull(handSetAfterItemChange(null))
    assert.isNull(handSetAfterItemChange('notStarted'))
    assert.isNull(handSetAfterItemChange('inProgress'))
    for (const verdict of ['passed', 'failed', 'blocked'] as const) {
      assert.equal(handSetAfterItemChange(verdict), verdict)
    }
  })

  test('beta testing', ({ assert }) => {
    const at = (state: 'inReview' | 'rejected' | 'available') =>
      statusOf({ type: 'betaTesting', facts: { state } })
    assert.equal(at('inReview'), 'inProgress')
    assert.equal(at('rejected'), 'blocked')
    assert.equal(at('available'), 'complete')
  })

  test('screenshots and metadata', ({ assert }) => {
    for (const type of ['screenshots', 'metadata'] as const) {
      assert.equal(statusOf({ type, facts: { edited: true, approved: false } }), 'inProgress')
      assert.equal(statusOf({ type, facts: { edited: true, approved: true } }), 'complete')
      assert.equal(statusOf({ type, facts: { edited: false, approved: true } }), 'complete')
    }
  })

  test('a withdrawn approval names the user action that the operation needs', ({ assert }) => {
    const part: StepPart = { type: 'approvals', facts: { handSet: false } }
    const facts = releaseFacts({ steps: [stepFacts(part)], ...KICKED_OFF })
    const { unmet } = assessSteps(facts).get('approvals')!
    const needed = operations.find(({ id }) => id === 'updateStepRunApproval')!.access
    assert.deepEqual(needed.kind === 'actions' && needed.anyOf, ['ApproveScreenshotsMetadata'])
    assert.deepEqual(
      unmet.map(({ code, who }) => [code, who]),
      [['approval_withdrawn', [{ type: 'userAction', name: 'ApproveScreenshotsMetadata' }]]]
    )
  })

  test('approvals', ({ assert }) => {
    const of = (...statuses: ItemFacts['status'][]) =>
      statusOf(approvals, { items: asked(...statuses), facts: KICKED_OFF })
    assert.equal(of('notStarted'), 'notStarted')
    assert.equal(of('approved', 'notStarted'), 'inProgress')
    assert.equal(of('approved', 'rejected'), 'blocked')
    assert.equal(of('blocked', 'notStarted'), 'blocked')
    assert.equal(of('approved', 'approved'), 'complete')
  })

  test('approvals with a decision by hand', ({ assert }) => {
    const by = (handSet: boolean, ...statuses: ItemFacts['status'][]) =>
      statusOf(
        { type: 'approvals', facts: { handSet } },
        { items: asked(...statuses), facts: KICKED_OFF }
      )
    assert.equal(by(true), 'complete')
    assert.equal(by(true, 'rejected'), 'blocked')
    assert.equal(by(false), 'notStarted')
    assert.equal(by(false, 'approved'), 'inProgress')
    assert.equal(by(false, 'rejected'), 'blocked')
  })

  test('submission', ({ assert }) => {
    const at = (selectedBuild: boolean, invalidBinary: boolean, submitted: boolean) =>
      statusOf({ type: 'submission', facts: { selectedBuild, invalidBinary, submitted } })
    assert.equal(at(true, false, false), 'inProgress')
    assert.equal(at(true, true, false), 'blocked')
    assert.equal(at(true, true, true), 'blocked')
    assert.equal(at(true, false, true), 'complete')
  })

  test('store review', ({ assert }) => {
    const at = (state: 'waiting' | 'inReview' | 'rejected' | 'approved') =>
      statusOf({ type: 'storeReview', facts: { state } })
    assert.equal(at('waiting'), 'inProgress')
    assert.equal(at('inReview'), 'inProgress')
    assert.equal(at('rejected'), 'blocked')
    assert.equal(at('approved'), 'complete')
  })

  test('takeoff', ({ assert }) => {
    const at = (pending: boolean, released: boolean) =>
      statusOf({ type: 'takeoff', facts: { pending, released, notBefore: null } })
    assert.equal(at(true, false), 'inProgress')
    assert.equal(at(false, true), 'complete')
  })

  test('rollout', ({ assert }) => {
    type State = 'active' | 'paused' | 'halted' | 'completed' | 'replaced'
    const at = (state: State, percentage: number) =>
      statusOf({ type: 'rollout', facts: { state, percentage, nextStage: null } })
    assert.equal(at('active', 10), 'inProgress')
    assert.equal(at('paused', 10), 'blocked')
    assert.equal(at('halted', 10), 'blocked')
    assert.equal(at('active', 100), 'complete')
    assert.equal(at('completed', 20), 'complete')
    assert.equal(at('replaced', 5), 'complete')
  })
})

test.group('Engine | items on steps', () => {
  test('a required approvals or regression step without items is done once kicked off', ({
    assert,
  }) => {
    for (const part of [approvals, regression]) {
      assert.equal(statusOf(part), 'notStarted')
      assert.equal(statusOf(part, { facts: KICKED_OFF }), 'complete')
      assert.equal(statusOf(part, { required: false, facts: KICKED_OFF }), 'notStarted')
    }
  })

  test('optional items neither block a step nor keep it incomplete, but start it', ({ assert }) => {
    const optional = (status: ItemFacts['status']): Item => ({
      kind: 'regression',
      required: false,
      status,
    })
    const beside = (status: ItemFacts['status'], required: ItemFacts['status']) =>
      statusOf(regression, { items: [optional(status), ...tested(required)] })
    assert.equal(beside('failed', 'passed'), 'complete')
    assert.equal(beside('notStarted', 'passed'), 'complete')
    assert.equal(beside('failed', 'notStarted'), 'inProgress')
    assert.equal(beside('passed', 'notStarted'), 'inProgress')
  })

  test('an optional step is complete once its optional items are done', ({ assert }) => {
    const of = (...statuses: ItemFacts['status'][]) =>
      statusOf(approvals, {
        required: false,
        items: asked(...statuses).map((item) => ({ ...item, required: false })),
        facts: KICKED_OFF,
      })
    assert.equal(of('approved', 'notStarted'), 'inProgress')
    assert.equal(of('approved', 'approved'), 'complete')
    assert.equal(of('rejected'), 'inProgress')
  })

  test('an open required checklist item keeps a step of any archetype incomplete', ({ assert }) => {
    const done: StepPart[] = [
      neutralPart('kickoff'),
      { type: 'screenshots', facts: { edited: true, approved: true } },
      { type: 'submission', facts: { selectedBuild: true, invalidBinary: false, submitted: true } },
    ]
    const rows = [
      ['notStarted', 'inProgress'],
      ['inProgress', 'inProgress'],
      ['blocked', 'blocked'],
      ['complete', 'complete'],
      ['notApplicable', 'complete'],
    ] as const
    for (const part of done) {
      for (const [status, expected] of rows) {
        assert.equal(statusOf(part, { items: [{ status }], facts: KICKED_OFF }), expected)
        assert.equal(
          statusOf(part, { items: [{ status, required: false }], facts: KICKED_OFF }),
          'complete'
        )
      }
    }
  })

  test('a touched checklist item starts a step whose own work has not begun', ({ assert }) => {
    const kickoff = neutralPart('kickoff')
    assert.equal(statusOf(kickoff, { items: [{ status: 'notStarted' }] }), 'notStarted')
    assert.equal(statusOf(kickoff, { items: [{ status: 'inProgress' }] }), 'inProgress')
    assert.equal(statusOf(kickoff, { items: [{ status: 'complete' }] }), 'inProgress')
    assert.equal(statusOf(kickoff, { items: [{ status: 'blocked' }] }), 'blocked')
    assert.equal(
      statusOf(kickoff, { items: [{ status: 'blocked', required: false }] }),
      'notStarted'
    )
  })
})
