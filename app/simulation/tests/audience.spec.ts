import { test } from '@japa/runner'
import fc from 'fast-check'
import { sharesAt, type Offered } from '#simulated-providers/audience'
import { adoptionAt, eventPoints, issuesIn, usesIn } from '../world/audience.js'
import type { World } from '../world/world.js'
import { BEGIN, DAY, FIRST_OUT, releasedWorld, SECOND_OUT } from './support/played_world.js'

const rateOf = (world: World, version: string, from: number, to: number) => {
  const uses = usesIn(world, to, { from, to, version })
  const sum = (of: 'sessions' | 'crashed') => uses.reduce((all, each) => all + each[of], 0)
  return { sessions: sum('sessions'), share: sum('crashed') / sum('sessions') }
}

test.group('The users of a world', () => {
  test('the shares of versions never exceed all users', ({ assert }) => {
    const offer = fc.record({
      from: fc.integer({ min: 0, max: 60 }),
      fraction: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(
        fc.array(offer, { maxLength: 8 }),
        fc.integer({ min: 0, max: 90 }),
        (all, day) => {
          const offers = all
            .map(({ from, fraction }, index): Offered => ({
              version: `1.${index}.0`,
              from: BEGIN + from * DAY,
              fractionAt: () => fraction,
            }))
            .sort((one, other) => one.from - other.from)
          const at = BEGIN + day * DAY
          const byVersion = sharesAt(offers, at)
          for (const { version } of offers) {
            const alone = sharesAt(offers, at, version).get(version)
            assert.strictEqual(alone, byVersion.get(version))
          }
          const shares = [...byVersion.values()]
          const sum = shares.reduce((before, share) => before + share, 0)
          assert.isTrue(shares.every((share) => share >= 0))
          assert.isAtMost(sum, 1 + 1e-9)
        }
      )
    )
  })

  test('a version spreads within its phased release, and replaces the one before', ({ assert }) => {
    const world = releasedWorld()
    const at = (version: string, days: number) =>
      adoptionAt(world, SECOND_OUT + 30 * DAY, version, SECOND_OUT + days * DAY)!
    assert.isNull(adoptionAt(world, FIRST_OUT, '1.0.0', BEGIN))
    assert.isNull(adoptionAt(world, SECOND_OUT, '2.0.0', SECOND_OUT))
    assert.isAbove(at('1.0.0', 0), 0.9)
    assert.isBelow(at('1.1.0', 1), 0.02)
    assert.isBelow(at('1.1.0', 3), 0.1)
    assert.isAbove(at('1.1.0', 20), 0.95)
    assert.isBelow(at('1.0.0', 20), 0.05)
  })

  test('the same seed gives the same hours, and later times change none of them', ({ assert }) => {
    const span = { from: FIRST_OUT, to: FIRST_OUT + 3 * DAY, version: null }
    const then = usesIn(releasedWorld(), span.to, span)
    assert.deepEqual(usesIn(releasedWorld(), span.to + 20 * DAY, span), then)
    assert.notDeepEqual(usesIn(releasedWorld('another'), span.to, span), then)
    assert.isAbove(then.length, 72)
    const early = usesIn(releasedWorld(), FIRST_OUT + DAY, span)
    assert.isTrue(early.every(({ at }) => at < FIRST_OUT + DAY))
  })

  test('crashes are rare unless a scenario plants some, for its version and its time only', ({
    assert,
  }) => {
    const world = releasedWorld()
    const spike = {
      ...{ version: '1.1.0', from: SECOND_OUT + DAY, until: SECOND_OUT + 3 * DAY },
      fromShare: null,
    }
    const spiked = {
      ...world,
      crashes: { spikes: [{ ...spike, crashing: 0.08 }], given: null },
    }
    const [from, to] = [spike.from, spike.until]
    assert.isBelow(rateOf(world, '1.1.0', from, to).share, 0.02)
    assert.isAbove(rateOf(spiked, '1.1.0', from, to).share, 0.06)
    assert.isBelow(rateOf(spiked, '1.0.0', from, to).share, 0.02)
    assert.isBelow(rateOf(spiked, '1.1.0', to, to + 2 * DAY).share, 0.02)
    const issues = issuesIn(spiked, to, { from, to, version: '1.1.0' })
    const most = issues.toSorted((one, other) => other.events - one.events)[0]
    assert.containsSubset(most, { title: 'Fatal signal in Checkout', at: from, isOpen: true })
    assert.isEmpty(issuesIn(spiked, to, { from, to, version: '9.9.9' }))
  })

  test('an issue is the same in every version that has it, and names the first', ({ assert }) => {
    const world = releasedWorld()
    const [from, to] = [SECOND_OUT + DAY, SECOND_OUT + 7 * DAY]
    const spike = { version: null, from, until: null, fromShare: null, crashing: 0.1 }
    const spiked = { ...world, crashes: { spikes: [spike], given: null } }
    const seenIn = (given: World, version: string, since: number) =>
      issuesIn(given, to, { from: since, to, version }).map((each) => `${each.id} ${each.version}`)
    const usual = ['crash-1 1.0.0', 'crash-2 1.0.0', 'crash-3 1.0.0']
    assert.deepEqual(seenIn(world, '1.0.0', FIRST_OUT), usual)
    assert.deepEqual(seenIn(world, '1.1.0', from), usual)
    assert.include(seenIn(spiked, '1.0.0', from), 'spike-1 1.1.0')
    assert.include(seenIn(spiked, '1.1.0', from), 'spike-1 1.1.0')
  })

  test('a spike may begin only once a share of users is offered the version', ({ assert }) => {
    const world = releasedWorld()
    const spike = { version: '1.1.0', from: BEGIN, until: null, fromShare: 0.05, crashing: 0.08 }
    const spiked = { ...world, crashes: { spikes: [spike], given: null } }
    const on = (day: number) =>
      rateOf(spiked, '1.1.0', SECOND_OUT + day * DAY, SECOND_OUT + (day + 1) * DAY).share
    assert.isBelow(on(1), 0.02)
    assert.isAbove(on(2), 0.07)
  })

  test('events follow the use of the app, unless a scenario makes one drop', ({ assert }) => {
    const world = releasedWorld()
    const [from, to] = [SECOND_OUT, SECOND_OUT + DAY]
    const drop = {
      ...{ event: 'checkout_done', version: null, from, until: null, left: 0.3 },
      fromShare: null,
    }
    const dropped = { ...world, analytics: { ...world.analytics, drops: [drop] } }
    const sum = (given: World, event: string) =>
      eventPoints(given, to, { event, from, to, version: null }).reduce(
        (all, { value }) => all + value,
        0
      )
    const usual = sum(world, 'checkout_done')
    assert.isAbove(usual, 1000)
    assert.closeTo(sum(dropped, 'checkout_done') / usual, 0.3, 0.02)
    assert.equal(sum(dropped, 'app_open'), sum(world, 'app_open'))
    assert.equal(sum(world, 'nobody_knows'), 0)
    assert.lengthOf(eventPoints(world, to, { event: 'app_open', from, to, version: null }), 24)
  })
})
