import { test } from '@japa/runner'
import { Model, type Prediction } from './model.js'
import { wallAt } from './wall_clock.js'
import { DAY, iso, PHASES } from './world_of_model.js'

/*
 * The predictions of the model are worth comparing: a few seeds cover all combinations. Each seed
 * is a run of the two years by itself.
 */

const START = Date.parse('2026-06-01T00:00:00Z')
const SEEDS = Array.from({ length: 8 }, (_, index) => 1000 + index)

const predictions: Prediction[] = []
const predicted = () => {
  for (const seed of SEEDS.slice(predictions.length)) {
    predictions.push(new Model(seed, START, START + 731 * DAY, 5).predict())
  }
  return predictions
}

/** Counts occurrences in the predictions of all seeds. */
const count = (found: (prediction: Prediction) => readonly unknown[]) =>
  predicted().reduce((sum, each) => sum + found(each).length, 0)

const ofType =
  (type: string, more = '') =>
  ({ happenings }: Prediction) =>
    happenings.filter((each) => each.type === type && each.more.startsWith(more))

test.group('The model of two years', () => {
  test('predicts the same for one seed, and something else for another', ({ assert }) => {
    const [first, second] = predicted()
    const again = new Model(SEEDS[0], START, START + 731 * DAY, 5).predict()
    assert.deepEqual(again, first)
    assert.notDeepEqual(second.happenings, first.happenings)
  })

  test('has every possible result of a train and of an automation', ({ assert }) => {
    const kinds: [string, string?][] = [
      ['release.created'],
      ['release.kickedOff'],
      ...['skipped', 'frozen', 'passed'].map(
        (why) => ['app.trainLeftOut', why] as [string, string]
      ),
      ['automation.ran', 'succeeded'],
      ...['paused', 'frozen', 'missed', 'not_ready'].map(
        (why) => ['automation.failed', `skipped ${why}`] as [string, string]
      ),
      ...PHASES.map((phase) => [`release.${phase}Reminder`] as [string]),
    ]
    for (const [type, more = ''] of kinds) {
      const isLeftOut = type === 'app.trainLeftOut'
      const found = isLeftOut
        ? count(({ happenings }) =>
            happenings.filter((each) => each.type === type && each.more.endsWith(more))
          )
        : count(ofType(type, more))
      assert.isAbove(found, 3, `${type} ${more}`)
    }
  })

  test('has freezes that are set, changed and lifted while a date passes in them', ({ assert }) => {
    let changed = 0
    let lifted = 0
    let late = 0
    for (const { deeds: actions, happenings } of predicted()) {
      for (const held of happenings.filter(({ more }) => more.startsWith('skipped frozen'))) {
        const target = held.more.split(' ').at(-1)
        const of = (each: (typeof happenings)[number]) =>
          each.app === held.app && each.version === held.version && each.more.endsWith(target!)
        const end = happenings.find(
          (each) => each.type.startsWith('automation.') && of(each) && each.at > held.at
        )
        if (!end) continue
        late += 1
        const between = actions.filter(
          ({ what, app, at }) =>
            what === 'freeze' && app === held.app && iso(at) > held.at && iso(at) <= end.at
        )
        changed += between.length
        // A freeze that ends at the moment of an action is ended by it.
        lifted += between.filter(({ at }) => iso(at) === end.at).length
      }
    }
    assert.isAbove(late, 10)
    assert.isAbove(changed, 3)
    assert.isAbove(lifted, 0)
  })

  test('has absences, both clock changes, moved dates that are reminded of anew, and pauses that end', ({
    assert,
  }) => {
    let passedOver = 0
    const offsets = new Map<number, Set<number>>()
    let anew = 0
    for (const { apps, happenings, deeds: actions } of predicted()) {
      for (const [index, { timezone }] of apps.entries()) {
        const own = happenings.filter(({ app }) => app === index)
        const pilots = own.flatMap(({ type, more }) =>
          type === 'release.created' ? [Number(more.split(' ')[0])] : []
        )
        passedOver += pilots.filter(
          (pilot, at) => at > 0 && pilot !== (pilots[at - 1] + 1) % 3
        ).length
        for (const { type, more } of own) {
          if (type !== 'release.created') continue
          const kickoff = Date.parse(more.split(' ')[1])
          const known = offsets.get(index) ?? new Set()
          const wall = Date.parse(`${wallAt(timezone, kickoff)}:00Z`)
          offsets.set(index, known.add(wall - kickoff))
        }
        const reminded = own.filter(({ type }) => type.endsWith('Reminder'))
        const names = reminded.map(({ type, version }) => `${type} ${version}`)
        anew += names.length - new Set(names).size
      }
      assert.isNotEmpty(actions.filter(({ what }) => what === 'pause'))
      assert.isNotEmpty(actions.filter(({ what }) => what === 'switch'))
      assert.isNotEmpty(actions.filter(({ what }) => what === 'cadence'))
    }
    assert.isAbove(passedOver, 20)
    assert.isAbove(anew, 20)
    // All zones except Kathmandu change their clocks.
    for (const index of [0, 1, 2, 4]) assert.isAbove(offsets.get(index)!.size, 1)
  })
})
