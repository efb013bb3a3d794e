import { test } from '@japa/runner'
import { deviceName, deviceOf } from '../device.js'
import { daysLeft, endOf, offerOf, type OfferedBuild } from '../offer.js'
import { IPHONE, IPHONE_IN_SLACK, MAC, PIXEL, PIXEL_IN_AN_APP, WINDOWS } from './support.js'

const NOW = '2026-11-16T11:45:00.000Z'
const DAY_LATER = '2026-11-17T11:45:00.000Z'

type Metadata = NonNullable<OfferedBuild['metadata']>
const adHoc = { type: 'adHoc', expiresAt: '2027-06-01T08:00:00.000Z' } as Metadata['profile']
const ipa: OfferedBuild = {
  status: 'active',
  expiresAt: null,
  metadataStatus: 'read',
  metadata: { format: 'ipa', platform: 'ios', profile: adHoc },
}
const apk = { ...ipa, metadata: { format: 'apk', platform: 'android', profile: null } } as const
const aab = { ...ipa, metadata: { format: 'aab', platform: 'android', profile: null } } as const
const withMetadata = (more: Partial<Metadata>) => ({
  ...ipa,
  metadata: { ...ipa.metadata!, ...more },
})
const endingBy = (expiresAt: string | null) => withMetadata({ profile: { ...adHoc!, expiresAt } })

const offered = (build: OfferedBuild, agent: string | undefined, isSecure = true) =>
  offerOf(build, deviceOf(agent), { isSecure, now: NOW })

test.group('A device', () => {
  test('is recognized by its user agent', ({ assert }) => {
    const known = (agent: string | undefined) => {
      const { system, inApp } = deviceOf(agent)
      return inApp ? `${system} in ${inApp.app}` : system
    }
    assert.equal(known(IPHONE), 'ios')
    assert.equal(known(IPHONE.replace('Version/18.6', 'CriOS/142.0')), 'ios')
    assert.equal(known(IPHONE_IN_SLACK), 'ios in Slack')
    assert.equal(known(IPHONE_IN_SLACK.replace(' Slack/25.10', '')), 'ios in null')
    assert.equal(known(PIXEL), 'android')
    assert.equal(known(PIXEL_IN_AN_APP), 'android in null')
    assert.equal(known(`${PIXEL} [FBAN/EMA;FBAV/1]`), 'android in Facebook')
    for (const agent of [MAC, WINDOWS, 'curl/8.5', '', undefined])
      assert.equal(known(agent), 'other')
    // The browser of a desktop app is as good as any other.
    assert.equal(known(`${WINDOWS} Slack/4.41`), 'other')
  })
})

test.group('The name of a device', () => {
  test('is derived from the user agent', ({ assert }) => {
    const installer =
      'com.apple.appstored/1.0 iOS/18.2 model/iPhone15,2 hwp/t8120 build/22C152 (6; dt:279) AMS/1'
    assert.equal(deviceName(installer), 'iPhone15,2, iOS 18.2')
    assert.equal(deviceName(IPHONE), 'iPhone, iOS 18.6')
    assert.equal(deviceName(IPHONE.replace('iPhone; CPU iPhone', 'iPad; CPU')), 'iPad, iOS 18.6')
    assert.equal(deviceName(PIXEL), 'Android')
    assert.equal(deviceName(PIXEL_IN_AN_APP), 'Pixel 9, Android 15')
    assert.equal(
      deviceName('Mozilla/5.0 (Linux; Android 9; SM-G960F Build/PPR1.180610.011)'),
      'SM-G960F, Android 9'
    )
    assert.equal(
      deviceName('AndroidDownloadManager/15 (Linux; U; Android 15; Pixel 9)'),
      'Pixel 9, Android 15'
    )
    assert.equal(deviceName(MAC), 'Mac')
    assert.equal(deviceName(WINDOWS), 'Windows')
    for (const agent of ['curl/8.5', '', undefined]) assert.isNull(deviceName(agent))
  })

  test('is short plain ASCII, whatever the user agent', ({ assert }) => {
    for (const agent of [
      `(Linux; Android 9; ${'x'.repeat(5000)})`,
      '(Linux; Android 9; \u202e\0<b>)',
    ]) {
      assert.match(deviceName(agent) ?? '', /^[ -~]{0,200}$/)
    }
  })
})

test.group('The offer of a page', () => {
  test('is to install, on a device that the build is for', ({ assert }) => {
    assert.equal(offered(ipa, IPHONE), 'install')
    assert.equal(offered(apk, PIXEL), 'download')
    assert.equal(offered(apk, PIXEL, false), 'download')
  })

  test('is to open another browser, in the browser of an app', ({ assert }) => {
    assert.equal(offered(ipa, IPHONE_IN_SLACK), 'openBrowser')
    assert.equal(offered(apk, PIXEL_IN_AN_APP), 'openBrowser')
  })

  test('is to use another device, on one that the build is not for', ({ assert }) => {
    for (const agent of [MAC, WINDOWS, PIXEL, undefined]) {
      assert.equal(offered(ipa, agent), 'elsewhere')
    }
    assert.equal(offered(apk, IPHONE), 'elsewhere')
  })

  test('is an explanation for builds that cannot be installed from a page', ({ assert }) => {
    assert.equal(offered(ipa, IPHONE, false), 'insecure')
    assert.equal(offered(aab, PIXEL), 'bundle')
    assert.equal(offered(withMetadata({ profile: { ...adHoc!, type: 'store' } }), IPHONE), 'store')
    assert.equal(offered(withMetadata({ platform: 'tvos' }), IPHONE), 'tethered')
    assert.equal(
      offered({ ...ipa, metadata: null, metadataStatus: 'failed' }, IPHONE),
      'unreadable'
    )
    assert.equal(offered({ ...ipa, metadata: null, metadataStatus: 'pending' }, IPHONE), 'reading')
    assert.equal(offered({ ...ipa, status: 'processing' }, IPHONE), 'pending')
  })

  test('is gone from the instant at which the build or its profile ends', ({ assert }) => {
    assert.equal(offered({ ...ipa, status: 'expired' }, IPHONE), 'expired')
    assert.equal(offered({ ...ipa, expiresAt: NOW }, MAC), 'expired')
    assert.equal(offered({ ...ipa, expiresAt: DAY_LATER }, IPHONE), 'install')
    assert.equal(offered(endingBy(NOW), IPHONE), 'profileExpired')
    assert.equal(offered(endingBy(DAY_LATER), IPHONE), 'install')
    assert.equal(offered(endingBy(null), IPHONE), 'install')
  })

  test('warns within 14 days of the end of the build or its profile, whichever is earlier', ({
    assert,
  }) => {
    const days = (build: OfferedBuild) => daysLeft(build, NOW)
    assert.isNull(days(ipa))
    assert.isNull(days(endingBy('2026-11-30T11:45:00.001Z')))
    assert.equal(days(endingBy('2026-11-30T11:45:00.000Z')), 14)
    assert.equal(days(endingBy(DAY_LATER)), 1)
    assert.equal(days(endingBy('2026-11-16T12:00:00.000Z')), 0)
    assert.isNull(days(endingBy(NOW)))
    assert.deepEqual(endOf({ ...ipa, expiresAt: DAY_LATER }), { at: DAY_LATER, by: 'bucket' })
    assert.deepEqual(endOf({ ...endingBy(DAY_LATER), expiresAt: adHoc!.expiresAt }), {
      at: DAY_LATER,
      by: 'profile',
    })
    assert.isNull(endOf(endingBy(null)))
  })
})
