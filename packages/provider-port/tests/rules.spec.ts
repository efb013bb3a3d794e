import { test } from '@japa/runner'
import fc from 'fast-check'
import { admitted } from '../../plugin-kit/port/admission.js'
import { requireAllowed, originOf, baseOf } from '../../plugin-kit/port/allowed_hosts.js'
import type { RateLimit } from '../../plugin-kit/manifest.js'
import { heard, reserveOf, takeFrom, UNUSED, type BudgetState } from '../budget.js'
import { Redaction } from '../../plugin-kit/port/redaction.js'
import { retryWaitOf, TOTAL_MS } from '../../plugin-kit/port/retrying.js'
import { safePath } from '../safe_path.js'
import { Slots } from '../slots.js'
import { PROVIDER_ERROR_CODES } from '../../plugin-kit/provider_error.js'
import { runs } from '../../../tests/support/effort.js'

const HOSTS = {
  allow: ['api.acme.example', '*.atlassian.example'],
  downloads: ['*.blob.example'],
  uploads: ['*.store.example'],
  selfHosted: true,
}

function placeOf(url: string, settings: Record<string, unknown> = {}): string {
  try {
    return requireAllowed(new URL(url), HOSTS, settings)
  } catch (error) {
    return (error as { code: string }).code
  }
}

test.group('Allowed hosts', () => {
  test('are those of the manifest, over https', ({ assert }) => {
    for (const url of ['https://api.acme.example/x', 'https://API.ACME.example:443/x']) {
      assert.equal(placeOf(url), 'credentialed', url)
    }
    for (const url of [
      'https://x.blob.example/file',
      'https://site.atlassian.example/x',
      'https://a.b.atlassian.example/x',
    ]) {
      assert.equal(placeOf(url), 'download', url)
    }
  })

  test('are asked for a range even if its numbers contain an id of the credentials', ({
    assert,
  }) => {
    const { redact } = new Redaction({ installationId: '1234' })
    const request = new Request('https://x.blob.example/file', {
      headers: { 'range': 'bytes=12340-99999', 'x-id': '1234' },
    })
    const { headers } = admitted(request, {}, { hosts: HOSTS, settings: {}, redact })
    assert.deepEqual([...headers], [['range', 'bytes=12340-99999']])
  })

  test('receive files without credentials if the manifest says so', ({ assert }) => {
    const sent = (method: string, url: string) => {
      const headers = { 'authorization': 'Bearer x', 'x-key': 'secret', 'content-type': 'a/b' }
      const redact = (text: string) => text.replaceAll('secret', '•••')
      const given = { hosts: HOSTS, settings: {}, redact }
      return admitted(new Request(url, { method, headers }), {}, given)
    }
    const { place, isAnonymous, headers } = sent('PUT', 'https://a.store.example/part')
    assert.deepEqual([place, isAnonymous], ['upload', true])
    assert.deepEqual([...headers], [['content-type', 'a/b']])
    for (const [method, url] of [
      ['POST', 'https://a.store.example/part'],
      ['DELETE', 'https://a.store.example/part'],
      ['PUT', 'https://x.blob.example/file'],
      ['PUT', 'https://store.example/part'],
    ]) {
      assert.throws(() => sent(method, url), /is only read|may not connect/)
    }
  })

  test('receive credentials only if they belong to the connection', ({ assert }) => {
    const site = 'https://site.atlassian.example/x'
    for (const named of [
      { site: 'site' },
      { site: 'Site.Atlassian.example' },
      { url: 'https://site.atlassian.example/wiki' },
    ]) {
      assert.equal(placeOf(site, named), 'credentialed')
      assert.equal(placeOf('https://evil.atlassian.example/x', named), 'download')
      assert.equal(placeOf('https://site.evil.atlassian.example/x', named), 'download')
      assert.equal(placeOf('https://api.acme.example/x', named), 'credentialed')
    }
    for (const other of [{ site: '' }, { site: 'sit' }, { site: ['site'] }, { site: 4 }]) {
      assert.equal(placeOf(site, other), 'download')
    }
    // Credentials of a self-hosted provider are sent to its host only.
    const own = { host: 'git.acme.example', site: 'site' }
    assert.equal(placeOf('https://git.acme.example/x', own), 'credentialed')
    assert.equal(placeOf('https://api.acme.example/x', own), 'download')
    assert.equal(placeOf(site, own), 'download')
  })

  test('do not include others, however a URL is disguised', ({ assert }) => {
    for (const url of [
      'http://api.acme.example/x',
      'https://api.acme.example:8443/x',
      'https://api.acme.example./x',
      'https://user@api.acme.example/x',
      'https://api.acme.example@evil.example/x',
      'https://api.acme.example:secret@evil.example/x',
      'https://evil.example/api.acme.example',
      'https://evil.example#api.acme.example',
      'https://api.acme.example.evil.example/x',
      'https://evilapi.acme.example/x',
      'https://evil-atlassian.example/x',
      'https://atlassian.example/x',
      'https://.atlassian.example/x',
      'https://xatlassian.example/x',
      'https://blob.example/x',
      'https://127.0.0.1/x',
      'https://2130706433/x',
      'https://0x7f.1/x',
      'https://[::1]/x',
      'https://[::ffff:127.0.0.1]/x',
      'https://localhost/x',
      'https://api.acme.exаmple/x',
      'ftp://api.acme.example/x',
      'data:text/plain,x',
      'file:///etc/passwd',
    ]) {
      assert.equal(URL.canParse(url) ? placeOf(url) : 'forbidden', 'forbidden', url)
    }
  })

  test('the host of a connection is its origin and nothing else', ({ assert }) => {
    const confirmed = originOf(HOSTS, 'Git.Acme.example:8443')
    assert.equal(confirmed, 'https://git.acme.example:8443')
    const settings = { host: 'Git.Acme.example:8443' }
    assert.equal(placeOf('https://git.acme.example:8443/x', settings), 'credentialed')
    for (const url of [
      'https://git.acme.example/x',
      'http://git.acme.example:8443/x',
      'https://user@git.acme.example:8443/x',
      'https://git.acme.example.:8443/x',
    ]) {
      assert.equal(placeOf(url, settings), 'forbidden', url)
    }
    for (const host of ['', 4, 'a b', 'https://x.example/path', 'u:p@x.example', 'x.example?y']) {
      assert.isNull(originOf(HOSTS, host), String(host))
    }
    assert.isNull(originOf({ ...HOSTS, selfHosted: false }, 'git.acme.example'))
    assert.equal(baseOf(HOSTS, undefined), 'https://api.acme.example')
    assert.equal(baseOf(HOSTS, 'http://10.0.0.5:3000'), 'http://10.0.0.5:3000')
    assert.isNull(baseOf({ allow: ['*.x.example'], selfHosted: false }, undefined))
  })
})

const limits = fc.record({
  requests: fc.integer({ min: 1, max: 30 }),
  perSeconds: fc.integer({ min: 1, max: 10 }),
})

/** Calls, each with the milliseconds since the previous one, and whether a person makes it. */
const asks = fc.array(
  fc.record({ after: fc.integer({ min: 0, max: 2000 }), isForPerson: fc.boolean() }),
  { maxLength: 80 }
)

/** Takes one call that changes nothing. */
const take = (state: BudgetState, rate: RateLimit, nowMs: number, isForPerson: boolean) =>
  takeFrom(state, rate, nowMs, { isForPerson, isChange: false })

test.group('Budgets', () => {
  test('no window holds more than the provider allows', ({ assert }) => {
    fc.assert(
      fc.property(limits, asks, (limit, requested) => {
        let [state, now] = [UNUSED, 1_000_000]
        const taken: number[] = []
        for (const { after, isForPerson } of requested) {
          now += after
          const result = take(state, limit, now, isForPerson)
          state = result.state
          if (result.taken.taken) taken.push(now)
          const window = taken.filter((at) => at > now - limit.perSeconds * 1000)
          assert.isAtMost(window.length, limit.requests)
        }
      })
    )
  })

  test('each further limit delays its own calls, and a pause for all delays people, too', ({
    assert,
  }) => {
    const further = fc.record({
      after: fc.integer({ min: 0, max: 2000 }),
      isForPerson: fc.boolean(),
      isChange: fc.boolean(),
    })
    const requested = fc.array(further, { maxLength: 80 })
    fc.assert(
      fc.property(limits, limits, limits, requested, (limit, bursts, changes, calls) => {
        const hourly = { requests: changes.requests + 1, perSeconds: changes.perSeconds * 3 }
        const rate = { ...limit, bursts, changes: [changes, hourly] }
        let [state, now] = [UNUSED, 1_000_000]
        const taken: { at: number; isChange: boolean }[] = []
        for (const { after, ...call } of calls) {
          now += after
          const result = takeFrom(state, rate, now, call)
          state = result.state
          if (result.taken.taken) taken.push({ at: now, isChange: call.isChange })
          const within = ({ perSeconds }: RateLimit) =>
            taken.filter(({ at }) => at > now - perSeconds * 1000)
          assert.isAtMost(within(limit).length, limit.requests)
          assert.isAtMost(within(bursts).length, bursts.requests)
          for (const each of rate.changes) {
            const changed = within(each).filter(({ isChange }) => isChange)
            assert.isAtMost(changed.length, each.requests)
          }
        }
        const paused = heard(state, { pauseMs: 60_000 }, now)
        const person = { isForPerson: true, isChange: true }
        const held = takeFrom(paused, { ...rate, pausesPeople: true }, now, person).taken
        assert.deepEqual(held, { taken: false, waitMs: 60_000, why: 'paused' })
      })
    )
  })

  test('a person gets the reserve at once, however much runs automatically', ({ assert }) => {
    fc.assert(
      fc.property(limits, asks, (limit, requested) => {
        let [state, now] = [UNUSED, 1_000_000]
        for (const { after } of requested) {
          now += after
          state = take(state, limit, now, false).state
        }
        for (let index = 0; index < reserveOf(limit); index++) {
          const result = take(state, limit, now, true)
          assert.isTrue(result.taken.taken)
          state = result.state
        }
      })
    )
  })

  test('a refused call gets a time to retry, and is accepted then', ({ assert }) => {
    fc.assert(
      fc.property(limits, asks, fc.boolean(), (limit, requested, isForPerson) => {
        let [state, now] = [UNUSED, 1_000_000]
        for (const { after } of requested) {
          now += after
          state = take(state, limit, now, isForPerson).state
        }
        const { taken } = take(state, limit, now, isForPerson)
        if (taken.taken) return
        assert.isAbove(taken.waitMs, 0)
        assert.isTrue(take(state, limit, now + taken.waitMs, isForPerson).taken.taken)
      })
    )
  })

  test('a pause and a small remaining budget delay automatic calls, and no person', ({
    assert,
  }) => {
    const limit = { requests: 100, perSeconds: 60 }
    const at = 5_000_000
    const isTaken = (state: BudgetState, now: number, isForPerson: boolean) =>
      take(state, limit, now, isForPerson).taken.taken
    const paused = heard(UNUSED, { pauseMs: 90_000 }, at)
    assert.isFalse(isTaken(paused, at + 89_999, false))
    assert.isTrue(isTaken(paused, at + 90_000, false))
    assert.isTrue(isTaken(paused, at, true))
    const scarce = heard(UNUSED, { remaining: 30, limit: 100, resetMs: 1000 }, at)
    assert.isFalse(isTaken(scarce, at, false))
    assert.isTrue(isTaken(scarce, at, true))
    assert.isTrue(isTaken(scarce, at + 1000, false))
    const plenty = heard(UNUSED, { remaining: 31, limit: 100, resetMs: 1000 }, at)
    assert.strictEqual(plenty, UNUSED)
  })

  test('a clock that was set back delays nobody', ({ assert }) => {
    const limit = { requests: 1, perSeconds: 1 }
    const { state } = take(UNUSED, limit, 9_000_000, false)
    assert.isTrue(take(state, limit, 1_000_000, false).taken.taken)
  })
})

test.group('Retries', () => {
  const outcomes = fc.constantFrom('notApplied' as const, 'applied' as const, 'unknown' as const)
  const cases = fc.record({
    failure: fc.record({
      code: fc.constantFrom(...PROVIDER_ERROR_CODES),
      outcome: outcomes,
      wasConnected: fc.boolean(),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
    }),
    attempt: fc.integer({ min: 1, max: 5 }),
    isRepeatable: fc.boolean(),
    elapsedMs: fc.integer({ min: 0, max: 100_000 }),
    random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  })

  test('are made only if they are safe, within the time, and after the requested wait', ({
    assert,
  }) => {
    fc.assert(
      fc.property(cases, ({ failure, random, ...rest }) => {
        const wait = retryWaitOf(failure, { ...rest, maxAttempts: 3, random: () => random })
        if (wait === null) return
        assert.isTrue(rest.isRepeatable || !failure.wasConnected)
        assert.include(['unavailable', 'timeout', 'rateLimited'], failure.code)
        assert.isBelow(rest.attempt, 3)
        assert.isBelow(rest.elapsedMs + wait, TOTAL_MS)
        assert.isAtLeast(wait, failure.retryAfterMs ?? 0)
      })
    )
  })
})

test.group('Paths of the log', () => {
  test('keep the fixed words of an API and nothing else', ({ assert }) => {
    const redact = (text: string) => text.replaceAll('canary', '•••')
    for (const [path, kept] of [
      ['/repos/acme/app/pulls/17', '/repos/acme/app/pulls/{id}'],
      ['/v1/appStoreVersions/6f1c9a70-1b2c', '/v1/appStoreVersions/{id}'],
      ['/services/T0001/B0002/xyzXYZ123abc', '/services/{id}/{id}/{id}'],
      ['/rest/api/3/search/jql', '/rest/api/{id}/search/jql'],
      ['/a/canary/b', '/a/{id}/b'],
      ['/a%2Fb/x', '/{id}/x'],
      ['/', '/'],
    ]) {
      assert.equal(safePath(path, redact), kept)
    }
    fc.assert(
      fc.property(fc.webPath(), (path) => {
        assert.match(safePath(path, redact), /^[A-Za-z0-9_./{}-]*$/)
      }),
      { numRuns: runs(30) }
    )
  })
})

test.group('Slots of running calls', () => {
  const { signal } = new AbortController()

  test('one of three or more is reserved for people, however many calls hang', async ({
    assert,
  }) => {
    for (const most of [1, 2, 3, 8]) {
      const slots = new Slots()
      const order: string[] = []
      const enter = async (name: string, isForPerson = false) => {
        const leave = await slots.enter('k', most, { isForPerson, signal })
        order.push(name)
        return leave
      }
      const kept = most >= 3 ? 1 : 0
      const hanging = await Promise.all(
        Array.from({ length: most - kept }, (_, index) => enter(`hangs ${index}`))
      )
      const next = enter('next')
      const person = enter('person', true)
      await new Promise((resolve) => setImmediate(resolve))
      assert.equal(order.includes('person'), kept === 1, `${most}`)
      assert.notInclude(order, 'next')
      if (kept === 0) hanging.pop()!()
      const end = await person
      end()
      await new Promise((resolve) => setImmediate(resolve))
      // People's slots are not available to others.
      assert.equal(order.includes('next'), kept === 0, `${most}`)
      for (const leave of hanging) leave()
      const last = await next
      last()
      const all = await Promise.all(Array.from({ length: most }, () => enter('again', true)))
      assert.lengthOf(all, most)
    }
  })

  test('are limited in number, go to people first, and are freed by callers who give up', async ({
    assert,
  }) => {
    const slots = new Slots()
    const order: string[] = []
    const enter = async (name: string, isForPerson = false, by = signal) => {
      const leave = await slots.enter('k', 1, { isForPerson, signal: by })
      order.push(name)
      return leave
    }
    const leave = await enter('first')
    const gone = new AbortController()
    const given = enter('given up', false, gone.signal).catch(() => 'gone')
    const waiting = [enter('second'), enter('third'), enter('person', true)]
    gone.abort()
    assert.equal(await given, 'gone')
    leave()
    leave()
    for (const each of [2, 0, 1]) {
      const end = await waiting[each]
      end()
    }
    assert.deepEqual(order, ['first', 'person', 'second', 'third'])
    const again = await slots.enter('k', 1, { isForPerson: false, signal })
    again()
  })
})
