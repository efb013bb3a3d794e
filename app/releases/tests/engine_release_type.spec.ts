import fc from 'fast-check'
import { test } from '@japa/runner'
import type { Sibling } from '#releases/engine/release_type'
import { compareVersions, parseVersion, type Version } from '#workflow/version'
import {
  deriveReleaseType,
  itemReleaseType,
  previousOf,
  workflowReleaseType,
} from '#releases/engine/release_type'
import { RELEASE_TYPES } from '#workflow/vocabulary'
import { runs } from '#tests/support/effort'

function version(text: string): Version {
  const parsed = parseVersion(text)
  if (!parsed) throw new Error(`${text} is no version`)
  return parsed
}
const sibling = (text: string, releaseType: Sibling['releaseType'] = 'minor'): Sibling => ({
  version: version(text),
  releaseType,
})

test.group('Engine | release type', () => {
  test('follows from the difference to the highest lower version', ({ assert }) => {
    const others = [sibling('1.9.0'), sibling('2.1.3'), sibling('2.0.0'), sibling('4.0.0')]
    const of = (text: string) => deriveReleaseType('release', version(text), others, 'standard')
    assert.equal(of('3.0.0'), 'major')
    assert.equal(of('2.2.0'), 'minor')
    assert.equal(of('2.10'), 'minor')
    assert.equal(of('2.1.4'), 'point')
    assert.equal(of('2.0.1'), 'point')
    assert.equal(of('1.10.0'), 'minor')
  })

  test('ignores rollbacks but not hotfixes', ({ assert }) => {
    const others = [sibling('1.0.0'), sibling('1.1.0', 'hotfix'), sibling('1.2.0', 'rollback')]
    assert.equal(deriveReleaseType('release', version('1.2.1'), others, 'standard'), 'minor')
    assert.equal(deriveReleaseType('release', version('1.1.1'), others, 'standard'), 'point')
  })

  test('hotfixes and rollbacks keep their type', ({ assert }) => {
    assert.equal(deriveReleaseType('hotfix', version('2.0.0'), [], 'major'), 'hotfix')
    assert.equal(deriveReleaseType('rollback', version('2.0.0'), [], 'major'), 'rollback')
  })

  test('the first version has the default type, or one by its difference to 0.0.0', ({
    assert,
  }) => {
    const first = (text: string, fallback: 'standard' | 'minor' | 'rollback') =>
      deriveReleaseType('release', version(text), [sibling('9.0.0')], fallback)
    assert.equal(first('1.2.3', 'minor'), 'minor')
    assert.equal(first('1.2.3', 'standard'), 'major')
    assert.equal(first('0.4.0', 'standard'), 'minor')
    assert.equal(first('0.0.1', 'rollback'), 'point')
  })

  test('a hotfix counts as a point release for items if the app is configured so', ({ assert }) => {
    for (const releaseType of RELEASE_TYPES) {
      assert.equal(itemReleaseType(releaseType, false), releaseType)
      const expected = releaseType === 'hotfix' ? 'point' : releaseType
      assert.equal(itemReleaseType(releaseType, true), expected)
    }
  })

  test('the workflow and requests know three kinds', ({ assert }) => {
    assert.deepEqual(RELEASE_TYPES.map(workflowReleaseType), [
      'standard',
      'standard',
      'standard',
      'hotfix',
      'rollback',
    ])
  })

  test('the previous version is the highest of the lower ones', ({ assert }) => {
    const part = fc.integer({ min: 0, max: 12 })
    const any = fc.record({ major: part, minor: part, patch: part })
    const others = fc.array(
      fc.record({ version: any, releaseType: fc.constantFrom(...RELEASE_TYPES) }),
      { maxLength: 12 }
    )
    fc.assert(
      fc.property(any, others, (own, list) => {
        const lower = list
          .filter(
            (other) => other.releaseType !== 'rollback' && compareVersions(other.version, own) < 0
          )
          .sort((a, b) => compareVersions(b.version, a.version))
        assert.deepEqual(previousOf(own, list)?.version ?? null, lower[0]?.version ?? null)
      }),
      { numRuns: runs(200) }
    )
  })
})
