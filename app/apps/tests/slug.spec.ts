import { test } from '@japa/runner'
import fc from 'fast-check'
import { appSlug, numberedSlugs } from '#apps/slug'
import { APP_PLATFORMS } from '#apps/vocabulary'

test.group('App slugs', () => {
  test('a slug is the name and the platform, without repetition', ({ assert }) => {
    assert.equal(appSlug('Acme', 'ios'), 'acme-ios')
    assert.equal(appSlug('Acme iOS', 'ios'), 'acme-ios')
    assert.equal(appSlug('Élan & Söhne', 'android'), 'elan-sohne-android')
    assert.equal(appSlug('東京', 'react-native-ota'), 'app-react-native-ota')
    assert.equal(appSlug('../..', 'ios'), 'app-ios')
  })

  test('letters with accents and of other alphabets become Latin ones', ({ assert }) => {
    assert.equal(appSlug('Größe', 'ios'), 'grosse-ios')
    assert.equal(appSlug('Łódź', 'ios'), 'lodz-ios')
    assert.equal(appSlug('Œuvre', 'ios'), 'oeuvre-ios')
    assert.equal(appSlug('Москва', 'ios'), 'moskva-ios')
    assert.equal(appSlug('Ĝojo nǐ hǎo', 'ios'), 'gojo-ni-hao-ios')
  })

  test('signs separate words and are not spelled out', ({ assert }) => {
    assert.equal(appSlug('a.b_c/d—e+f', 'ios'), 'a-b-c-d-e-f-ios')
    assert.equal(appSlug('50 % of $1 & more', 'ios'), '50-of-1-more-ios')
  })

  test('a long name is cut, without a dash at its end', ({ assert }) => {
    assert.equal(appSlug('x'.repeat(70), 'ios'), `${'x'.repeat(60)}-ios`)
    assert.equal(appSlug(`${'x'.repeat(59)} y`, 'ios'), `${'x'.repeat(59)}-ios`)
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
