import { test } from '@japa/runner'
import type { ItemFacts, ReleaseFacts } from '#releases/engine/facts'
import { applyWhatIf } from '#releases/engine/what_if'
import { whyNotMoving } from '#releases/engine/why_not_moving'
import { evaluate } from '#releases/engine/evaluate'
import { itemFacts, NOW, releaseFacts, stepFacts, workflow } from './helpers/release_facts.js'

const TOMORROW = '2026-11-21T12:00:00.000Z'
const NEXT_WEEK = '2026-11-27T12:00:00.000Z'

function facts(given: Partial<ReleaseFacts> = {}): ReleaseFacts {
  return releaseFacts({
    steps: workflow(stepFacts('kickoff'), stepFacts('approvals'), stepFacts('submission')),
    items: [
      itemFacts({
        id: 'legal',
        stepId: 'approvals',
        kind: 'approval',
        owners: [
          { type: 'group', id: 'group_1', name: 'Approvers' },
          { type: 'releasePilot', id: null, name: 'Release pilot' },
        ],
      }),
      itemFacts({ id: 'tax', stepId: 'approvals', kind: 'approval', status: 'rejected' }),
    ],
    pilot: { id: 'user_1', name: 'Grace' },
    ...given,
  })
}

test.group('Engine | why not moving', () => {
  test('names the owners of an open item, the pilot of the release among them', ({ assert }) => {
    const [, approvals] = whyNotMoving(facts(), NOW).steps
    assert.deepEqual(approvals.unmet, [
      {
        code: 'item_not_done',
        message: '"legal" is not done yet.',
        subject: { type: 'approval', id: 'legal', name: 'legal' },
        who: [
          { type: 'group', id: 'group_1', name: 'Approvers' },
          { type: 'releasePilot', id: 'user_1', name: 'Grace' },
        ],
      },
      {
        code: 'item_blocked',
        message: '"tax" is rejected.',
        subject: { type: 'approval', id: 'tax', name: 'tax' },
        who: [{ type: 'userAction', name: 'UpdateApprovalItemStatus' }],
      },
    ])
    const item = itemFacts({ id: 'vat', stepId: 'approvals', kind: 'approval', status: 'failed' })
    const [failed] = whyNotMoving(facts({ items: [item] }), NOW).steps[1].unmet
    assert.equal(failed.message, '"vat" has failed.')
  })

  test('says how many approvals are missing and who can still give them', ({ assert }) => {
    const legal = (missing: number, givenBy: string[], more: Partial<ItemFacts> = {}) => {
      const item = itemFacts({
        id: 'legal',
        stepId: 'approvals',
        kind: 'approval',
        owners: [
          { type: 'user', id: 'user_7', name: 'Ada' },
          { type: 'releasePilot', id: null, name: 'Release pilot' },
        ],
        approvals: { required: 2, missing, givenBy },
        ...more,
      })
      const [condition] = whyNotMoving(facts({ items: [item] }), NOW).steps[1].unmet
      return [condition.approvalsMissing, condition.who.map(({ name }) => name)]
    }
    assert.deepEqual(legal(2, []), [2, ['Ada', 'Grace']])
    assert.deepEqual(legal(1, ['user_7']), [1, ['Grace']])
    assert.deepEqual(legal(1, ['user_9']), [1, ['Ada', 'Grace']])
    assert.deepEqual(legal(3, []), [3, ['Ada', 'Grace', 'UpdateApprovalItemStatus']])
    const group = { type: 'group' as const, id: 'group_1', name: 'Approvers' }
    assert.deepEqual(legal(3, [], { owners: [group] }), [3, ['Approvers']])
    assert.deepEqual(legal(2, [], { owners: [] }), [2, ['UpdateApprovalItemStatus']])
    const rejected = legal(2, [], { status: 'rejected' })
    assert.deepEqual(rejected, [2, ['Ada', 'Grace']])
  })

  test('assumes that any other status withdraws the approvals', ({ assert }) => {
    const approvals = { required: 3, missing: 1, givenBy: ['user_1'] }
    const items = [
      itemFacts({
        id: 'legal',
        stepId: 'approvals',
        kind: 'approval',
        status: 'inProgress',
        approvals,
      }),
    ]
    const supposed = applyWhatIf(facts({ items }), [{ itemId: 'legal', status: 'rejected' }])
    assert.deepEqual(supposed.items[0].approvals, { required: 3, missing: 3, givenBy: [] })
  })

  test('names the conditions of the whole release in each phase', ({ assert }) => {
    const codes = (given: Partial<ReleaseFacts>) =>
      whyNotMoving(facts(given), NOW).release.map(({ code }) => code)
    assert.deepEqual(codes({}), ['not_kicked_off'])
    assert.deepEqual(codes({ kickedOffAt: NOW }), ['required_step_incomplete'])
    assert.deepEqual(codes({ kickedOffAt: NOW, items: [] }), ['not_submitted'])
    assert.deepEqual(codes({ kickedOffAt: NOW, skippedAt: NOW }), ['release_skipped'])
    const completed = whyNotMoving(facts({ kickedOffAt: NOW, completedAt: NOW }), NOW)
    assert.deepEqual([completed.release, completed.next], [[], []])
    assert.deepEqual(
      completed.steps.flatMap(({ unmet }) => unmet),
      []
    )
  })

  test('names the active release of the train that an upcoming one waits for', ({ assert }) => {
    const holder = { id: 'acme-ios:1.0.0', version: '1.0.0' }
    const [held, next] = whyNotMoving(facts(), NOW, [holder]).release
    assert.containsSubset(held, {
      code: 'train_held',
      subject: { type: 'release', id: 'acme-ios:1.0.0', name: '1.0.0' },
      who: [{ type: 'userAction', name: 'CreateDeleteRelease' }],
    })
    assert.equal(next.code, 'not_kicked_off')
  })

  test('shows a verdict over failed items as a warning that blocks nothing', ({ assert }) => {
    const reported = (
      handSet: 'passed' | 'inProgress' | null,
      ...statuses: ItemFacts['status'][]
    ) => {
      const items = statuses.map((status, index) =>
        itemFacts({ id: `item-${index}`, stepId: 'regressionTesting', kind: 'regression', status })
      )
      const steps = [stepFacts({ type: 'regressionTesting', facts: { handSet } })]
      const [step] = whyNotMoving(releaseFacts({ kickedOffAt: NOW, steps, items }), NOW).steps
      return [step.status, step.warnings.map(({ message }) => message.replace(/.* despite /, ''))]
    }
    assert.deepEqual(reported('passed', 'failed', 'passed'), [
      'complete',
      ['1 failed or blocked item.'],
    ])
    assert.deepEqual(reported('passed', 'failed', 'failed'), [
      'complete',
      ['2 failed or blocked items.'],
    ])
    assert.deepEqual(reported('passed', 'blocked'), ['complete', ['1 failed or blocked item.']])
    assert.deepEqual(reported(null, 'failed'), ['blocked', []])
    assert.deepEqual(reported('inProgress', 'failed'), ['inProgress', []])
  })

  test('names no missing pilot and no unconnected provider', ({ assert }) => {
    const given = releaseFacts({
      kickedOffAt: NOW,
      steps: workflow(
        stepFacts('featureReadiness'),
        stepFacts('translations'),
        stepFacts('releaseCandidate'),
        stepFacts('approvals')
      ),
      items: [
        itemFacts({
          id: 'legal',
          stepId: 'approvals',
          kind: 'approval',
          owners: [{ type: 'releasePilot', id: null, name: 'Release pilot' }],
        }),
      ],
      pilot: null,
    })
    const who = whyNotMoving(given, NOW).steps.flatMap(({ unmet }) => unmet.map((one) => one.who))
    assert.deepEqual(
      who.map((each) => each.map(({ type }) => type)),
      who.map(() => ['userAction'])
    )
  })

  test('lists the target dates of open actions, including dates in the past', ({ assert }) => {
    const YESTERDAY = '2026-11-19T12:00:00.000Z'
    const targets = { kickoffAt: YESTERDAY, submitAt: TOMORROW, releaseAt: NEXT_WEEK }
    const next = (given: Partial<ReleaseFacts>) =>
      whyNotMoving(facts({ targets, ...given }), NOW).next.map(({ at, what }) => [at, what])
    assert.deepEqual(next({}), [
      [YESTERDAY, 'targetKickoff'],
      [TOMORROW, 'targetSubmit'],
      [NEXT_WEEK, 'targetRelease'],
    ])
    assert.deepEqual(next({ kickedOffAt: NOW, storeKind: 'ota' }), [[NEXT_WEEK, 'targetRelease']])
    const automations = [{ action: 'submit' as const, enabled: true, heldBy: null }]
    assert.deepEqual(next({ kickedOffAt: NOW, automations }), [
      [TOMORROW, 'submit'],
      [NEXT_WEEK, 'targetRelease'],
    ])
    const held = [{ action: 'submit' as const, enabled: true, heldBy: 'freeze' as const }]
    assert.deepEqual(next({ kickedOffAt: NOW, automations: held }), [
      [TOMORROW, 'targetSubmit'],
      [NEXT_WEEK, 'targetRelease'],
    ])
    assert.deepEqual(next({ skippedAt: NOW }), [])
    assert.deepEqual(next({ completedAt: NOW }), [])
    assert.isNull(evaluate(facts({ targets }), NOW).nextEvaluationAt)
  })

  test('names everybody who can help with an incomplete step, without duplicates', ({ assert }) => {
    const [missing] = whyNotMoving(facts({ kickedOffAt: NOW }), NOW).release
    assert.deepEqual(missing.subject, { type: 'step', id: 'approvals', name: 'approvals' })
    assert.deepEqual(
      missing.who.map(({ type, name }) => `${type} ${name}`),
      ['group Approvers', 'releasePilot Grace', 'userAction UpdateApprovalItemStatus']
    )
  })

  test('after submission, names the store, then a person, then the rollout', ({ assert }) => {
    const codes = (
      state: 'inReview' | 'rejected' | 'approved',
      rollout: 'active' | null,
      storeKind: 'apple' | 'google' = 'apple',
      underWay = false
    ) =>
      whyNotMoving(
        releaseFacts({
          storeKind,
          kickedOffAt: NOW,
          steps: workflow(
            stepFacts({
              type: 'submission',
              facts: { selectedBuild: true, invalidBinary: false, submitted: true },
            }),
            stepFacts({ type: 'storeReview', facts: { state } }),
            stepFacts({
              type: 'takeoff',
              facts: { pending: true, underWay, released: false, notBefore: null },
            }),
            stepFacts({
              type: 'rollout',
              facts: { state: rollout, percentage: 5, nextStage: null },
            })
          ),
        }),
        NOW
      ).release.map(({ code }) => code)
    assert.deepEqual(codes('inReview', null), ['in_review'])
    assert.deepEqual(codes('rejected', null), ['review_rejected'])
    assert.deepEqual(codes('approved', null), ['not_released'])
    assert.deepEqual(codes('approved', null, 'google'), ['not_released'])
    // Once the release was requested, nobody has to act.
    assert.deepEqual(codes('approved', null, 'apple', true), ['release_running'])
    assert.deepEqual(codes('approved', 'active'), ['rolling_out'])
  })

  test('lists automatic events in order, and the next evaluation is due then', ({ assert }) => {
    const given = facts({
      kickedOffAt: NOW,
      targets: { kickoffAt: TOMORROW, submitAt: NEXT_WEEK, releaseAt: null },
      automations: [
        { action: 'kickoff', enabled: true, heldBy: null },
        { action: 'submit', enabled: true, heldBy: null },
        { action: 'release', enabled: true, heldBy: null },
      ],
      reminders: [{ about: 'submit', at: TOMORROW }],
    })
    assert.deepEqual(
      whyNotMoving(given, NOW).next.map(({ at, what }) => [at, what]),
      [
        [TOMORROW, 'submitReminder'],
        [NEXT_WEEK, 'submit'],
      ]
    )
    assert.include(whyNotMoving(given, NOW).next[1].message, 'approvals')
    assert.equal(evaluate(given, NOW).nextEvaluationAt, TOMORROW)
    assert.equal(evaluate(given, TOMORROW).nextEvaluationAt, NEXT_WEEK)
    assert.isNull(evaluate(given, NEXT_WEEK).nextEvaluationAt)
    assert.deepEqual(whyNotMoving({ ...given, skippedAt: NOW }, NOW).next, [])
  })

  test('names the service only if an automation will act', ({ assert }) => {
    const who = (heldBy: 'pause' | null, submitAt: string | null) => {
      const given = facts({
        kickedOffAt: NOW,
        items: [],
        targets: { kickoffAt: null, submitAt, releaseAt: null },
        automations: [{ action: 'submit', enabled: true, heldBy }],
      })
      return whyNotMoving(given, NOW).release
    }
    const types = (conditions: ReturnType<typeof who>) => conditions[0].who.map(({ type }) => type)
    assert.deepEqual(types(who(null, TOMORROW)), ['userAction', 'service'])
    assert.deepEqual(types(who(null, null)), ['userAction'])
    assert.deepEqual(
      who('pause', TOMORROW).map(({ code }) => code),
      ['not_submitted', 'automation_held']
    )
  })

  test('answers for a hypothetical change without changing the facts', ({ assert }) => {
    const given = facts({ kickedOffAt: NOW })
    const supposed = applyWhatIf(given, [
      { itemId: 'legal', status: 'approved' },
      { itemId: 'tax', status: 'approved' },
      { itemId: 'unknown', status: 'approved' },
    ])
    assert.equal(whyNotMoving(supposed, NOW).steps[1].status, 'complete')
    assert.equal(whyNotMoving(given, NOW).steps[1].status, 'blocked')
  })

  test('a hypothetical change of an item clears a progress mark, as a real one does', ({
    assert,
  }) => {
    const of = (handSet: 'inProgress' | 'failed') => {
      const given = releaseFacts({
        steps: [stepFacts({ type: 'regressionTesting', facts: { handSet } })],
        items: [itemFacts({ id: 'smoke', stepId: 'regressionTesting', kind: 'regression' })],
      })
      const supposed = applyWhatIf(given, [{ itemId: 'smoke', status: 'passed' }])
      return evaluate(supposed, NOW).regressionStatus
    }
    assert.equal(of('inProgress'), 'passed')
    assert.equal(of('failed'), 'failed')
  })
})
