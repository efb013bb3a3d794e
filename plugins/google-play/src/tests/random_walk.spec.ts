import { test } from '@japa/runner'
import { isProviderError } from '@tarmac/plugin-kit'
import { highestCode, lifecycleOf, PRODUCTION } from '../fake/play_store.js'
import { stage } from './support/stage.js'

/*
 * Calls of the plugin in any order, mixed with people in the console, ending reviews and lost
 * answers: the plugin always reports the true state.
 */

const RUNS = 20
const STEPS = 30
const CODES = ['41', '42', '43']
/** A version code that releases retain. */
const RETAINED = 7

/** Returns numbers from 0 (included) to 1 (excluded), the same for a seed. */
function chances(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

type Stage = Awaited<ReturnType<typeof stage>>

const inReviewIn = ({ fake }: Stage) =>
  fake.store.releases
    .filter((each) => lifecycleOf(each) === 'IN_REVIEW')
    .map((each) => `${each.track} ${highestCode(each)} ${each.submissions}`)

/** Returns the part of a release that users have. */
const servedIn = ({ fake }: Stage, id: string) => {
  const found = fake.store
    .on(PRODUCTION)
    .find((each) => `${PRODUCTION}/${highestCode(each)}` === id)
  return found && { status: found.status, fraction: found.userFraction ?? 1, isOut: found.isOut }
}

/** Returns the store's own word for the state of a release. */
const wordIn = ({ fake }: Stage, id: string) => {
  const found = fake.store
    .on(PRODUCTION)
    .find((each) => `${PRODUCTION}/${highestCode(each)}` === id)!
  return found.isOut && !found.unsent ? found.status : lifecycleOf(found)
}

async function walk(seed: number, fault: (message: string) => void): Promise<number> {
  const given = await stage()
  const { bench, fake, store, fail, replace } = given
  const chance = chances(seed)
  const pick = <Each>(all: readonly Each[]) => all[Math.floor(chance() * all.length)]
  for (const code of [...CODES, RETAINED]) fake.store.library.add(Number(code))
  fake.store.on(PRODUCTION)[0].versionCodes = [RETAINED, 40]
  const idOf = (code: string) => `${PRODUCTION}/${code}`
  let done = 0
  /** The request whose answer is lost. */
  let lostAt = -1
  const asked = () => fake.requests().filter(({ url }) => !url.includes('oauth2')).length

  /** Makes a call, and compares the outcome that it reports with the store. */
  async function call(what: string, work: () => Promise<unknown>, isLossy: boolean) {
    const before = JSON.stringify(fake.state())
    try {
      await work()
      done += 1
    } catch (error) {
      if (!isProviderError(error)) return fault(`${what} threw ${String(error)}`)
      const isChanged = JSON.stringify(fake.state()) !== before
      const { outcome } = error.detail
      if (isChanged && outcome === 'notApplied') fault(`${what} was applied, and says no`)
      if (!isLossy && outcome === 'unknown') fault(`${what} does not know, and nothing was lost`)
    }
  }

  for (let step = 0; step < STEPS; step++) {
    const code = pick(CODES)
    const id = idOf(code)
    if (chance() < 0.1 && asked() > lostAt) {
      const after = Math.floor(chance() * 6)
      lostAt = asked() + after
      fake.failNext(...Array.from({ length: after }, () => 'pass' as const), 'lost')
    }
    const isLossy = asked() <= lostAt
    const reviews = inReviewIn(given).join()
    const turn = pick(['prepare', 'submit', 'grow', 'stop', 'withdraw', 'list', 'console', 'time'])
    const version = `1.${code}.0`
    const what = `${seed}.${step} ${turn} ${code}`
    switch (turn) {
      case 'prepare': {
        const input = { version, buildNumber: code, phased: true, release: 'manual' } as const
        await call(what, () => store.prepare(input, bench.mutation()), isLossy)
        break
      }
      case 'submit':
        await call(what, () => store.submit(id, { ...fail(), fraction: 0.1 }), isLossy)
        break
      case 'grow':
      case 'stop': {
        const isStop = turn === 'stop'
        const to = isStop ? ({ action: 'halt' } as const) : { fraction: pick([0.2, 0.5, 1]) }
        const roll = async () => {
          const { after } = await store.setRollout(id, to, isStop ? replace() : fail())
          if (after.waitsForSending) return
          const served = servedIn(given, id)
          const isTrue =
            served?.isOut &&
            served.status === after.rollout?.raw &&
            served.fraction === after.rollout.fraction
          if (!isTrue) fault(`${what} is ${JSON.stringify(served)}`)
          if (isStop && served?.status !== 'halted') fault(`${what} did not stop it`)
        }
        await call(what, roll, isLossy)
        break
      }
      case 'withdraw':
        await call(what, () => store.cancelReview(id, bench.mutation()), isLossy)
        break
      case 'list': {
        const before = JSON.stringify(fake.state())
        const list = async () => {
          const { items } = await store.listVersions({})
          for (const { id: listed, status } of items.filter(({ track }) => track === PRODUCTION)) {
            const word = wordIn(given, listed)
            if (status.raw !== word) fault(`${what} shows ${listed} as ${status.raw}, not ${word}`)
          }
        }
        await call(what, list, isLossy)
        if (JSON.stringify(fake.state()) !== before) fault(`${what} changed something`)
        break
      }
      case 'console':
        fake.inConsole((own) => {
          own.isSentByHand = chance() < 0.2
          own.isManaged = chance() < 0.2
          if (chance() < 0.3) own.publish()
          if (chance() < 0.3) own.send()
          for (const each of own.on(PRODUCTION)) {
            const retains = each.versionCodes.includes(RETAINED)
            if (each.status !== 'draft' || retains || chance() < 0.5) continue
            each.versionCodes = [RETAINED, ...each.versionCodes]
          }
        })
        break
      case 'time':
        bench.pass(60_000)
        if (chance() < 0.7) fake.decide(chance() < 0.8 ? 'approved' : 'rejected')
    }
    // Growth and submissions leave reviews alone.
    const isPolite = ['prepare', 'submit', 'grow', 'list'].includes(turn)
    const later = inReviewIn(given)
    const isKept = reviews === '' || reviews.split(',').every((each) => later.includes(each))
    if (isPolite && !isKept) fault(`${what} restarted a review`)
  }
  return done
}

test.group('Google Play | any order', () => {
  test('reports the true state, and restarts no review without being asked to', async ({
    assert,
  }) => {
    const errors: string[] = []
    let done = 0
    for (let seed = 1; seed <= RUNS; seed++) {
      done += await walk(seed, (message) => void errors.push(message))
    }
    assert.deepEqual(errors, [])
    // Enough calls succeeded for the test to mean something.
    assert.isAbove(done, (RUNS * STEPS) / 10)
  })
})
