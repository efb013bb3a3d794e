import fc from 'fast-check'
import { test } from '@japa/runner'
import { freezesAt, thawedFrom, type Freeze } from '#planning/calendar/freezes'
import {
  isKept,
  judge,
  reminderAt,
  actsAt,
  type AutomationDateFacts,
} from '#planning/calendar/automation_dates'
import { HOUR } from '#foundation/core/durations'
import { runs } from '#tests/support/effort'

const START = Date.parse('2026-11-02T00:00:00.000Z')
const at = (hours: number) => new Date(START + hours * HOUR).toISOString()

const freezeList = fc.array(
  fc.record({ from: fc.integer({ min: 0, max: 60 }), hours: fc.integer({ min: 1, max: 20 }) }),
  { maxLength: 3 }
)
const toFreezes = (list: { from: number; hours: number }[]): Freeze[] =>
  list.map(({ from, hours }, index) => ({
    id: `frz_${index}`,
    startAt: at(from),
    endAt: at(from + hours),
    phases: ['kickoff'],
  }))

type Edit =
  | { kind: 'freeze'; freezes: Freeze[] }
  | { kind: 'target'; target: number | null }
  | { kind: 'switch'; isOn: boolean }
  | { kind: 'pause'; isPaused: boolean }
  | { kind: 'setting'; runAfterFreeze: boolean }

const edit: fc.Arbitrary<Edit> = fc.oneof(
  freezeList.map((list): Edit => ({ kind: 'freeze', freezes: toFreezes(list) })),
  fc.option(fc.integer({ min: 0, max: 60 })).map((target): Edit => ({ kind: 'target', target })),
  fc.boolean().map((isOn): Edit => ({ kind: 'switch', isOn })),
  fc.boolean().map((isPaused): Edit => ({ kind: 'pause', isPaused })),
  fc.boolean().map((runAfterFreeze): Edit => ({ kind: 'setting', runAfterFreeze }))
)
const edits = fc.array(fc.record({ hour: fc.integer({ min: 0, max: 70 }), edit }), {
  maxLength: 12,
})

type Log = [hour: number, what: string][]
interface World {
  target: number | null
  isOn: boolean
  isPaused: boolean
  runAfterFreeze: boolean
  freezes: Freeze[]
}
const atFirst = (runAfterFreeze: boolean): World => ({
  target: 30,
  isOn: true,
  isPaused: false,
  runAfterFreeze,
  freezes: [],
})

/** Sets a timer by `actsAt` after each change, and judges whenever it goes off. */
function byTimer(script: readonly { hour: number; edit: Edit }[], runAfterFreeze: boolean): Log {
  const world = atFirst(runAfterFreeze)
  const log: Log = []
  let run: AutomationDateFacts['run'] = null
  let planned: string | null = null
  const facts = (): AutomationDateFacts => ({
    isBehind: false,
    phase: 'kickoff',
    target: world.target === null ? null : at(world.target),
    isOn: world.isOn,
    freezes: world.freezes,
    runAfterFreeze: world.runAfterFreeze,
    run,
    planned,
  })
  const plan = (now: string) => {
    if (run && !isKept(run, facts().target, world.isOn)) run = null
    planned = actsAt(facts(), now)
  }
  plan(at(-1))
  for (let hour = 0; hour <= 100; hour++) {
    const now = at(hour)
    for (const each of script.filter((step) => step.hour === hour)) {
      apply(world, each.edit)
      plan(now)
    }
    while (planned !== null && planned <= now) {
      const verdict = judge(facts(), world.isPaused, now)
      const target = facts().target!
      if (verdict.what === 'nothing' || verdict.what === 'wait')
        throw new Error('A timer went off for nothing')
      if (verdict.what === 'hold') {
        run = { target, heldSince: now, at: null, result: null }
        planned = verdict.until
      } else {
        log.push([hour, verdict.what === 'act' ? 'act' : verdict.reason])
        run = { target, heldSince: null, at: now, result: null }
        plan(now)
      }
    }
  }
  return log
}

function apply(world: World, change: Edit): void {
  if (change.kind === 'freeze') world.freezes = change.freezes
  if (change.kind === 'target') world.target = change.target
  if (change.kind === 'switch') world.isOn = change.isOn
  if (change.kind === 'pause') world.isPaused = change.isPaused
  if (change.kind === 'setting') world.runAfterFreeze = change.runAfterFreeze
}

/** Judges every hour, without a timer. */
function byLooking(script: readonly { hour: number; edit: Edit }[], runAfterFreeze: boolean): Log {
  const world = atFirst(runAfterFreeze)
  const log: Log = []
  let armed = true
  let waits = false
  const done = new Set<number>()
  for (let hour = 0; hour <= 100; hour++) {
    for (const { edit: change } of script.filter((step) => step.hour === hour)) {
      const { target, isOn } = world
      apply(world, change)
      const isAnother = world.target !== target || world.isOn !== isOn
      if (!isAnother) continue
      waits = false
      armed = world.isOn && world.target !== null && world.target > hour && !done.has(world.target)
    }
    if (!armed || world.target === null || hour < world.target) continue
    const isFrozen = world.freezes.some(
      ({ startAt, endAt }) => startAt <= at(hour) && at(hour) < endAt
    )
    if (isFrozen && (waits || (!world.isPaused && world.runAfterFreeze))) {
      waits = true
      continue
    }
    // The setting at the end of the freeze decides.
    const isLetBe = isFrozen || (waits && !world.runAfterFreeze)
    log.push([hour, world.isPaused ? 'paused' : isLetBe ? 'frozen' : 'act'])
    armed = false
    done.add(world.target)
  }
  return log
}

test.group('The turn of an automation', () => {
  test('comes at the same time as by hourly checks, whatever is changed and when', ({ assert }) => {
    fc.assert(
      fc.property(edits, fc.boolean(), (script, runAfterFreeze) => {
        assert.deepEqual(byTimer(script, runAfterFreeze), byLooking(script, runAfterFreeze))
      }),
      { numRuns: runs(2000) }
    )
  })

  test('does not return with a date that was moved away and back during a freeze', ({ assert }) => {
    const script = [
      { hour: 28, edit: { kind: 'freeze', freezes: toFreezes([{ from: 29, hours: 9 }]) } },
      { hour: 31, edit: { kind: 'target', target: 60 } },
      { hour: 32, edit: { kind: 'target', target: 30 } },
    ] as const
    assert.deepEqual(byTimer(script, true), [])
    assert.deepEqual(byLooking(script, true), [])
  })

  test('is dropped if the service is more than a day late, and not before', ({ assert }) => {
    const facts: AutomationDateFacts = {
      phase: 'kickoff',
      target: at(0),
      isOn: true,
      isBehind: false,
      freezes: [],
      runAfterFreeze: true,
      run: null,
      planned: at(0),
    }
    assert.deepEqual(judge(facts, false, at(24)), { what: 'act' })
    assert.deepEqual(judge(facts, false, at(24.5)), { what: 'drop', reason: 'missed' })
    assert.deepEqual(judge(facts, false, at(-1)), { what: 'nothing' })
    assert.deepEqual(judge({ ...facts, planned: null }, false, at(1)), { what: 'nothing' })
  })

  test('waits without a timer for the release ahead, and comes at once when that one is over', ({
    assert,
  }) => {
    const facts: AutomationDateFacts = {
      phase: 'kickoff',
      target: at(0),
      isOn: true,
      isBehind: true,
      freezes: [],
      runAfterFreeze: true,
      run: null,
      planned: at(0),
    }
    assert.deepEqual(judge(facts, false, at(1)), { what: 'wait' })
    const run = {
      target: at(0),
      heldSince: at(1),
      heldBy: 'train' as const,
      at: null,
      result: null,
    }
    const waiting = { ...facts, run, planned: null }
    assert.isNull(actsAt(waiting, at(90)))
    const freed = { ...waiting, isBehind: false }
    assert.equal(actsAt(freed, at(90)), at(90))
    assert.deepEqual(judge({ ...freed, planned: at(90) }, false, at(91)), { what: 'act' })
  })

  test('comes once per date', ({ assert }) => {
    const run = { target: at(5), heldSince: null, at: at(5), result: 'succeeded' as const }
    const facts: AutomationDateFacts = {
      phase: 'kickoff',
      target: at(5),
      isOn: true,
      isBehind: false,
      freezes: [],
      runAfterFreeze: true,
      run,
      planned: at(5),
    }
    assert.isNull(actsAt(facts, at(6)))
    assert.equal(actsAt({ ...facts, target: at(9) }, at(6)), at(9))
  })
})

test.group('Freezes', () => {
  test('end at the first instant that lies in none, however they overlap', ({ assert }) => {
    fc.assert(
      fc.property(freezeList, fc.integer({ min: 0, max: 80 }), (list, hour) => {
        const freezes = toFreezes(list)
        let naive = hour
        while (freezesAt(freezes, 'kickoff', at(naive)).length > 0) naive += 1
        assert.equal(thawedFrom(freezes, 'kickoff', at(hour)), at(naive))
        assert.equal(thawedFrom(freezes, 'submit', at(hour)), at(hour))
      })
    )
  })
})

test.group('The time of a reminder', () => {
  const facts = {
    target: at(48),
    isOn: true,
    leadTimeMinutes: 24 * 60,
    reminded: null,
    planned: null,
  }

  test('is the lead time before the date, even if that has passed, unless the date has passed too', ({
    assert,
  }) => {
    assert.equal(reminderAt(facts, at(0)), at(24))
    assert.equal(reminderAt(facts, at(40)), at(24))
    assert.isNull(reminderAt(facts, at(48)))
    assert.isNull(reminderAt({ ...facts, isOn: false }, at(0)))
    assert.isNull(reminderAt({ ...facts, target: null }, at(0)))
  })

  test('without a lead time is the date itself, if that lay ahead', ({ assert }) => {
    const without = { ...facts, leadTimeMinutes: 0 }
    assert.equal(reminderAt(without, at(47)), at(48))
    assert.isNull(reminderAt(without, at(48)))
    const planned = { ...without, planned: at(48) }
    assert.equal(reminderAt(planned, at(48)), at(48))
    assert.equal(reminderAt(planned, at(48.25)), at(48))
    assert.isNull(reminderAt(planned, at(48.3)))
    const reminded = { target: at(48), leadTimeMinutes: 0 }
    assert.isNull(reminderAt({ ...planned, reminded }, at(48)))
    assert.isNull(reminderAt({ ...facts, planned: at(24) }, at(48)))
  })

  test('comes once per date and lead time', ({ assert }) => {
    const reminded = { target: at(48), leadTimeMinutes: 24 * 60 }
    assert.isNull(reminderAt({ ...facts, reminded }, at(30)))
    assert.equal(reminderAt({ ...facts, reminded, target: at(72) }, at(30)), at(48))
    assert.equal(reminderAt({ ...facts, reminded, leadTimeMinutes: 60 }, at(30)), at(47))
    assert.isNull(reminderAt({ ...facts, reminded, leadTimeMinutes: 30 * 60 }, at(30)))
  })
})
