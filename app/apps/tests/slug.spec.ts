import { test } from '@japa/runner'
import fc from 'fast-check'
import { appSlug, numberedSlugs } from '#apps/slug'
import { APP_PLATFORMS } from '#apps/vocabulary'

test.group('App slugs', () => {
  test('a slug is name and platform, said once', ({ assert }) => {
    assert.equal(appSlug('Acme', 'ios'), 'acme-ios')
    assert.equal(appSlug('Acme iOS', 'ios'), 'acme-ios')
    assert.equal(appSlug('Élan & Söhne', 'android'), 'elan-sohne-android')
    assert.equal(appSlug('東京', 'react-native-ota'), 'app-react-native-ota')
    assert.equal(appSlug('../..', 'ios'), 'app-ios')
  })

  test('slugs are numbered from the second on', ({ assert }) => {
    assert.deepEqual(numberedSlugs('a-ios', 1, 3), ['a-ios', 'a-ios-2', 'a-ios-3'])
    assert.deepEqual(numberedSlugs('a-ios', 4, 2), ['a-ios-4', 'a-ios-5'])
  })

  test('any name gives a short slug that is safe in a path', ({ assert }) => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom(...APP_PLATFORMS),
        (name, platform) => {
          assert.match(appSlug(name, platform), /^[a-z0-9]+(-[a-z0-9]+)*$/)
          assert.isAtMost(appSlug(name, platform).length, 90)
        }
      )
    )
  })
})
