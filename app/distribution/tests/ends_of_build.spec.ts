import { test } from '@japa/runner'
import fc from 'fast-check'
import type { ArchiveMetadata } from '#app-archives/metadata'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { endsOfBuild, PLAY_DEADLINES } from '../expiry/ends_of_build.js'

const NOW = '2026-07-01T09:00:00.000Z'
const METADATA: ArchiveMetadata = {
  format: 'aab',
  platform: 'android',
  bundleId: 'com.acme.app',
  name: 'Acme',
  version: '4.2.0',
  buildNumber: '4711',
  minimumOsVersion: '28',
  targetOsVersion: null,
  abis: [],
  permissions: [],
  signing: null,
  profile: null,
  profileFailure: null,
  iconFailure: null,
}
const ipa = (expiresAt: string | null, certificateExpiresAt: string | null): ArchiveMetadata => ({
  ...METADATA,
  format: 'ipa',
  platform: 'ios',
  profile: {
    name: 'Acme Store',
    type: 'store',
    teamId: null,
    teamName: null,
    expiresAt,
    certificateExpiresAt,
    deviceCount: null,
    getTaskAllow: false,
    entitlements: null,
  },
})
const targeting = (
  targetOsVersion: string | null,
  platform: ArchiveMetadata['platform'] = 'android'
): ArchiveMetadata => ({ ...METADATA, platform, targetOsVersion })
const summaries = (metadata: ArchiveMetadata, now = NOW) =>
  endsOfBuild(metadata, now).map(({ at, what }) => `${what} ${at.slice(0, 10)}`)

test.group('Ends of a build', () => {
  test('of its profile and certificate are reported from 30 days ahead on', ({ assert }) => {
    const [soon, far] = ['2026-07-20T00:00:00.000Z', '2026-09-01T00:00:00.000Z']
    assert.deepEqual(summaries(ipa(far, far)), [])
    assert.deepEqual(summaries(ipa(soon, far)), ['profileEnd 2026-07-20'])
    assert.deepEqual(summaries(ipa(far, soon)), ['certificateEnd 2026-07-20'])
    assert.deepEqual(summaries(ipa(null, null)), [])
    const [ahead] = endsOfBuild(ipa(soon, null), NOW)
    assert.match(ahead.message, /^The profile Acme Store of build 4711 ends on 2026-07-20\. Renew/)
    const [past] = endsOfBuild(ipa(soon, null), far)
    assert.match(past.message, /ended on 2026-07-20/)
  })

  test('of its target level depend on the form factor, and name the first missed deadline', ({
    assert,
  }) => {
    const august = '2026-08-15T00:00:00.000Z'
    assert.deepEqual(summaries(targeting('36'), august), [])
    assert.deepEqual(summaries(targeting('35'), NOW), [], 'It is two months away')
    assert.deepEqual(summaries(targeting('35'), august), ['targetApiLevel 2026-08-31'])
    assert.deepEqual(summaries(targeting('34'), august), ['targetApiLevel 2025-08-31'])
    assert.deepEqual(summaries(targeting('34', 'androidtv'), august), [])
    assert.deepEqual(summaries(targeting('34', 'wearos'), august), ['targetApiLevel 2026-08-31'])
    for (const unknown of [null, 'Baklava', '18.2']) {
      assert.deepEqual(summaries(targeting(unknown), august), [])
    }
    const [end] = endsOfBuild(targeting('35'), august)
    assert.match(end.message, /^Build 4711 targets API level 35\. From 2026-08-31 on .* 36 or more/)
  })

  test('of its target level name the level that Google Play takes by then', ({ assert }) => {
    const now = '2026-11-01T00:00:00.000Z'
    assert.deepEqual(summaries(targeting('34'), now), ['targetApiLevel 2025-08-31'])
    const [end] = endsOfBuild(targeting('34'), now)
    assert.match(end.message, /From 2026-08-31 on .* 36 or more/)
    const [before] = endsOfBuild(targeting('34'), NOW)
    assert.match(before.message, /From 2025-08-31 on .* 35 or more/)
  })

  test('of a target level stay reported, and are never reported for a higher level alone', ({
    assert,
  }) => {
    const level = fc.integer({ min: 21, max: 40 })
    const days = fc.integer({ min: 0, max: 900 })
    fc.assert(
      fc.property(level, level, days, days, (one, other, from, more) => {
        const at = later('2025-01-01T00:00:00.000Z', from * DAY)
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        const reported = (target: number, now: string) => summaries(targeting(String(target)), now)
        if (reported(low, at).length === 0) assert.deepEqual(reported(high, at), [])
        assert.includeMembers(reported(low, later(at, more * DAY)), reported(low, at))
      })
    )
  })

  test('deadlines are in order, and only rise', ({ assert }) => {
    for (const [index, { at, levels }] of PLAY_DEADLINES.entries()) {
      const before = PLAY_DEADLINES[index - 1]
      if (!before) continue
      assert.isAbove(Date.parse(at), Date.parse(before.at))
      for (const [factor, needed] of Object.entries(before.levels)) {
        assert.isAtLeast(levels[factor as keyof typeof levels] ?? 0, needed)
      }
    }
  })
})
