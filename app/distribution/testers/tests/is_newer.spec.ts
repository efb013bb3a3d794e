import { test } from '@japa/runner'
import fc from 'fast-check'
import { isNewer } from '../is_newer.js'
import { runs } from '#tests/support/effort'

const parts = fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 4 })
const shown = (numbers: readonly number[]) => numbers.join('.')
/** Returns a text that sorts as the numbers do: an independent order to compare with. */
const sortable = (numbers: readonly number[]) =>
  [0, 1, 2, 3].map((index) => String(numbers[index] ?? 0).padStart(4, '0')).join('.')

test.group('Whether a build is newer', () => {
  test('is decided by the version, then by the build number', ({ assert }) => {
    const build = fc.record({ version: parts, buildNumber: parts })
    fc.assert(
      fc.property(build, build, (newest, own) => {
        const key = ({ version, buildNumber }: typeof newest) =>
          `${sortable(version)} ${sortable(buildNumber)}`
        const name = ({ version, buildNumber }: typeof newest) => ({
          version: shown(version),
          buildNumber: shown(buildNumber),
        })
        assert.equal(isNewer(name(newest), name(own)), key(newest) > key(own))
      }),
      { numRuns: runs(100) }
    )
  })

  test('follows from the parts that both builds state', ({ assert }) => {
    const newest = { version: '4.2.0', buildNumber: '4711' }
    const of = (version: string | null, buildNumber: string | null) =>
      isNewer(newest, { version, buildNumber })
    assert.isTrue(of(null, null))
    assert.isTrue(of(null, '999'))
    assert.isFalse(of(null, '4711'))
    assert.isFalse(of(null, '10000'))
    assert.isFalse(of('4.2', null))
    assert.isTrue(of('4.1.9', null))
    assert.isFalse(
      isNewer({ version: '4.2.0', buildNumber: null }, { version: '4.2.0', buildNumber: '1' })
    )
    // Larger than the exact integers of JavaScript.
    assert.isTrue(
      isNewer(
        { version: null, buildNumber: '90071992547409931' },
        { version: null, buildNumber: '90071992547409930' }
      )
    )
  })

  test('is assumed for a different one if there is no order', ({ assert }) => {
    const newest = { version: '4.2.0-beta', buildNumber: '4711' }
    assert.isTrue(isNewer(newest, { version: '4.2.0', buildNumber: '9999' }))
    assert.isFalse(isNewer(newest, newest))
    assert.isTrue(isNewer(newest, { version: '4.2.0-beta', buildNumber: '4711b' }))
  })
})
