import { test } from '@japa/runner'
import fc from 'fast-check'
import { placeSteps, type PlacedStep } from '../engine/step_places.js'
import { runs } from '#tests/support/effort'

/*
 * Tests the places of a release's steps after its workflow was rearranged, for random releases,
 * workflows and choices of touched steps.
 */

const TYPES = ['regressionTesting', 'approvals', 'submission', 'takeoff'] as const
const isGate = ({ type }: PlacedStep) => type === 'submission' || type === 'takeoff'

/** Assigns places to steps, in groups of up to three. */
function laidOut(steps: readonly Pick<PlacedStep, 'id' | 'type'>[]): PlacedStep[] {
  return steps.map((each, index) => ({
    ...each,
    groupIndex: Math.floor(index / 3),
    position: index % 3,
  }))
}

const scene = fc
  .uniqueArray(fc.nat(9), { minLength: 1, maxLength: 8 })
  .chain((ids) =>
    fc.record({
      before: fc.tuple(...ids.map((id) => step(id))),
      kept: fc.shuffledSubarray(ids),
      added: fc.array(fc.constantFrom(...TYPES), { maxLength: 3 }),
      left: fc.subarray(ids),
      order: fc.infiniteStream(fc.nat(20)),
    })
  )
  .map(({ before, kept, added, left, order }) => {
    const byId = new Map(before.map((each) => [each.id, each]))
    const workflow = kept.map((id) => byId.get(`old-${id}`)!)
    for (const [index, type] of added.entries()) {
      const place = order.next().value % (workflow.length + 1)
      workflow.splice(place, 0, { id: `new-${index}`, type })
    }
    const gone = new Set(left.map((id) => `old-${id}`))
    const inWorkflow = new Set(workflow.map(({ id }) => id))
    const staying = before.filter(({ id }) => !inWorkflow.has(id) && !gone.has(id))
    return {
      before: laidOut(before),
      workflow: laidOut(workflow),
      staying: new Set(staying.map(({ id }) => id)),
    }
  })

function step(id: number) {
  return fc.constantFrom(...TYPES).map((type) => ({ id: `old-${id}`, type }))
}

test.group('Places of the steps of a release', () => {
  test('keep the order of the workflow, and keep work before a gate before it', ({ assert }) => {
    fc.assert(
      fc.property(scene, ({ before, workflow, staying }) => {
        const places = placeSteps(before, workflow, staying)
        const given = [...places].sort(
          ([, a], [, b]) => a.groupIndex - b.groupIndex || a.position - b.position
        )
        const order = given.map(([id]) => id)
        assert.sameMembers(order, [...workflow.map(({ id }) => id), ...staying])
        const distinct = new Set(given.map(([, place]) => JSON.stringify(place)))
        assert.equal(distinct.size, order.length)
        assert.deepEqual(
          order.filter((id) => !staying.has(id)),
          workflow.map(({ id }) => id)
        )

        const formerAt = new Map(before.map(({ id }, index) => [id, index]))
        const placeOf = (id: string) => order.indexOf(id)
        const all = [...workflow, ...before.filter(({ id }) => staying.has(id))]
        for (const own of before) {
          if (!staying.has(own.id) || isGate(own)) continue
          const wasBehind = (gate: PlacedStep) =>
            formerAt.has(gate.id) && formerAt.get(gate.id)! < formerAt.get(own.id)!
          for (const gate of all.filter(isGate)) {
            if (placeOf(own.id) < placeOf(gate.id)) continue
            // Behind a gate is right if it was so before, or if a gate that it was behind is later.
            const later = all.filter((each) => isGate(each) && wasBehind(each))
            const isExcused = formerAt.has(gate.id)
              ? wasBehind(gate)
              : later.some(({ id }) => placeOf(id) > placeOf(gate.id))
            assert.isTrue(isExcused, `${own.id} behind ${gate.id}: ${order.join(' ')}`)
          }
        }
      }),
      { numRuns: runs(500) }
    )
  })

  test('new work comes before a submission that the workflow dropped', ({ assert }) => {
    const kickoff = { id: 'kickoff', type: 'kickoff' as const }
    const work = { id: 'new', type: 'betaTesting' as const }
    const submission = { id: 'submission', type: 'submission' as const }
    const takeoff = { id: 'takeoff', type: 'takeoff' as const }
    const late = { id: 'late', type: 'approvals' as const }
    const former = laidOut([kickoff, submission, takeoff])
    const places = placeSteps(
      former,
      laidOut([kickoff, work, takeoff, late]),
      new Set(['submission'])
    )
    const order = [...places].map(([id]) => id)
    assert.deepEqual(order, ['kickoff', 'new', 'submission', 'takeoff', 'late'])
  })

  test('a failed step comes before a new submission', ({ assert }) => {
    const [kickoff, approvals, failed] = [
      { id: 'kickoff', type: 'kickoff' as const },
      { id: 'approvals', type: 'approvals' as const },
      { id: 'failed', type: 'regressionTesting' as const },
    ]
    const workflow = laidOut([kickoff, { id: 'submission', type: 'submission' }, approvals])
    const places = placeSteps(laidOut([kickoff, approvals, failed]), workflow, new Set(['failed']))
    const [own, gate] = ['failed', 'submission'].map((id) => places.get(id)!)
    assert.isBelow(own.groupIndex * 10 + own.position, gate.groupIndex * 10 + gate.position)
  })
})
