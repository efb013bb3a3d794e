import assert from 'node:assert/strict'
import { test } from '@japa/runner'
import {
  hostileStore,
  momentAt,
  randomFrom,
  Refusal,
  type ConsoleAction,
  type HostileStore,
  type Random,
  type StoreCall,
} from '../core/index.js'
import { DAY, HOUR, MINUTE, STARTS_AT } from './support.js'

const RUNS = 200
const DEEDS = 60
const VERSIONS = ['1.1.0', '1.2.0', '1.3.0']
const ROLLOUTS = ['pause', 'resume', 'halt', 'complete'] as const

const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)]

function someCall(random: Random): StoreCall {
  const version = pick(VERSIONS, random)
  const onReviewInProgress = random() < 0.5 ? 'fail' : 'replace'
  const method = pick(
    ['prepare', 'submit', 'submit', 'cancelReview', 'release', 'setRollout', 'setRollout'] as const,
    random
  )
  switch (method) {
    case 'prepare': {
      const fraction = random() < 0.7 ? 0.1 : undefined
      const release = random() < 0.5 ? 'manual' : 'auto'
      const buildNumber = version.replaceAll('.', '')
      return { method, version, buildNumber, phased: random() < 0.8, fraction, release }
    }
    case 'submit':
      return { method, version, onReviewInProgress }
    case 'setRollout': {
      const to = random() < 0.4 ? { fraction: random() } : { action: pick(ROLLOUTS, random) }
      return { method, version, to, onReviewInProgress }
    }
    default:
      return { method, version }
  }
}

function someAction(random: Random): ConsoleAction {
  const version = pick(VERSIONS, random)
  const what = pick(
    ['halt', 'resume', 'complete', 'submit', 'withdraw', 'release', 'reject', 'remove'] as const,
    random
  )
  const number = Math.floor(random() * 1000)
  return pick<ConsoleAction>(
    [
      { what, version },
      { what: 'set', version, fraction: random() },
      { what: 'send' },
      { what: 'sendByHand', on: random() < 0.3 },
      { what: 'submitOther', track: 'beta', version: `beta ${number}`, build: '50' },
      { what: 'publishOther', version: '1.2.5', build: '125' },
    ],
    random
  )
}

function storeOfSeed(seed: number): HostileStore {
  const random = randomFrom(seed)
  return hostileStore({
    kind: random() < 0.5 ? 'google' : 'apple',
    seed,
    startsAt: STARTS_AT,
    lagSeconds: pick([0, 60, 900], random),
    reviewMinutes: [5, 300],
    rejected: 0.2,
    live: random() < 0.8 ? { version: '1.0.0', build: '100' } : null,
    builds: { 100: 0, 110: 0, 120: STARTS_AT, 130: STARTS_AT + HOUR },
    managed: random() < 0.3,
    sendByHand: random() < 0.2,
    listsReplaced: true,
    flaky: 0.05,
  })
}

interface Deed {
  store: HostileStore
  at: number
  random: Random
  /** The call, where it was one, and how it was refused. */
  call?: StoreCall
  refusal?: Refusal
  momentsBefore: number
  isInReview: boolean
}

const momentsOf = (store: HostileStore) =>
  store.versions.reduce((sum, version) => sum + store.history(version).length, 0)

/**
 * Does what comes to mind to many stores.
 * @param check is given every deed, and answers the time where it lets some pass
 */
function wander(check: (deed: Deed) => number | void): void {
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const store = storeOfSeed(seed)
    const random = randomFrom(seed)
    let at = STARTS_AT
    for (let count = 0; count < DEEDS; count += 1) {
      at += random() < 0.3 ? 0 : Math.round(random() ** 4 * 2 * DAY)
      store.pass(at)
      const isInReview = store.versions.some((each) => store.truth(each)?.review === 'inReview')
      const deed: Deed = { store, at, random, momentsBefore: momentsOf(store), isInReview }
      if (random() < 0.7) {
        deed.call = someCall(random)
        try {
          store.receive(deed.call, at, `key ${count}`)
        } catch (error) {
          assert.ok(error instanceof Refusal, String(error))
          deed.refusal = error
        }
      } else store.console(someAction(random), at)
      at = check(deed) ?? at
    }
  }
}

test.group('Any store', () => {
  test('what is refused changes nothing', () => {
    let refusals = 0
    wander(({ store, refusal, momentsBefore }) => {
      if (!refusal) return
      refusals += 1
      assert.equal(momentsOf(store), momentsBefore)
    })
    assert.ok(refusals > RUNS)
  })

  test('is the same by the same seed', () => {
    const histories = () => {
      const found: string[] = []
      wander(({ store }) => {
        found.push(JSON.stringify(store.versions.map((each) => store.truth(each))))
      })
      return found
    }
    assert.deepEqual(histories(), histories())
  })

  test('shares are possible, and what is stopped does not grow by itself', () => {
    wander(({ store }) => {
      for (const version of store.versions) {
        const history = store.history(version)
        for (const [index, { truth, by, at }] of history.entries()) {
          assert.ok(truth.share >= 0 && truth.share <= 1)
          const before = history[index - 1]
          if (!before) continue
          assert.ok(at >= before.at)
          const grows = before.truth.stopped && truth.share > before.truth.share
          assert.ok(!(grows && by.who === 'store'), `${version} grew while it was stopped`)
        }
      }
    })
  })

  test('shows each version as it was at some moment that the lag allows', () => {
    let shown = 0
    wander(({ store, at, random }) => {
      const beganAt = at
      const endsAt = at + Math.round(random() * 5 * MINUTE)
      const oldest = beganAt - store.lagSeconds * 1000
      store.pass(endsAt)
      const list = store.read(beganAt, endsAt, random)
      shown += list.length
      for (const { version, status, rollout } of list) {
        const history = store.history(version)
        const held = [momentAt(history, oldest), ...history.filter((each) => each.at > oldest)]
        const isTrue = held.some(
          (each) =>
            each &&
            each.at <= endsAt &&
            each.truth.state === status.state &&
            each.truth.rollout?.fraction === rollout?.fraction
        )
        assert.ok(isTrue, `${version} was never ${status.state}`)
      }
      // A list holds every version that is older than the lag.
      for (const version of store.versions) {
        const isOld = store.history(version)[0].at <= oldest
        assert.ok(!isOld || list.some((each) => each.version === version), `${version} is missing`)
      }
      return endsAt
    })
    assert.ok(shown > RUNS * DEEDS)
  })
})

test.group('Any Google Play', () => {
  test('beside a review it takes only what replaces it', () => {
    let conflicts = 0
    wander(({ store, call, refusal, isInReview }) => {
      if (store.kind !== 'google' || !isInReview || !call) return
      const fails =
        call.method === 'prepare' ||
        ('onReviewInProgress' in call && call.onReviewInProgress === 'fail')
      if (!fails) return
      assert.ok(refusal, `${JSON.stringify(call)} was applied beside a review`)
      if (refusal.reason === 'reviewInProgress') conflicts += 1
    })
    assert.ok(conflicts > RUNS / 10)
  })

  test('has at most one version that grows, above the one that all others get', () => {
    wander(({ store }) => {
      if (store.kind !== 'google') return
      const truths = store.versions
        .map((version) => store.truth(version)!)
        .filter(({ track }) => track === 'production')
      const growing = truths.filter(({ state }) => state === 'rolledOutPartially')
      const live = truths.filter(({ state }) => state === 'live')
      assert.ok(growing.length <= 1 && live.length <= 1)
      if (growing[0] && live[0]) assert.ok(Number(growing[0].build) > Number(live[0].build))
    })
  })
})

test.group('Any App Store', () => {
  test('has at most one version in flight, and at most one that users get', () => {
    const flying = /prepar|ForReview|inReview|ejected|pendingRelease|processing|invalidBinary/
    wander(({ store }) => {
      if (store.kind !== 'apple') return
      const states = store.versions.map((version) => store.truth(version)!.state)
      assert.ok(states.filter((state) => flying.test(state)).length <= 1, states.join())
      assert.ok(states.filter((state) => /live|rolledOut/.test(state)).length <= 1, states.join())
    })
  })
})
