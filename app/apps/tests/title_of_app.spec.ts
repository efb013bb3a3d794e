import { test } from '@japa/runner'
import { titleOfApp } from '../vocabulary.js'

test.group('Titles of apps', () => {
  test('a title names the platform once', ({ assert }) => {
    for (const [name, platform, title] of [
      ['Orbit', 'ios', 'Orbit for iOS'],
      ['Orbit', 'android', 'Orbit for Android'],
      ['Orbit', 'wearos', 'Orbit for Wear OS'],
      ['Orbit', 'flutter-ota', 'Orbit for Flutter'],
      ['Orbit iOS', 'ios', 'Orbit iOS'],
      ['Orbit (Android)', 'android', 'Orbit (Android)'],
      ['Android Orbit', 'androidtv', 'Android Orbit for Android TV'],
      ['Kiosk', 'ios', 'Kiosk for iOS'],
    ] as const) {
      assert.equal(titleOfApp({ name, platform }), title)
    }
  })
})
