import { test } from '@japa/runner'
import fc from 'fast-check'
import type { ArchiveContents, ArchiveMetadata } from '#app-archives/metadata'
import { runs } from '#tests/support/effort'
import { approvalsFor } from '../approvals/demanded_approvals.js'
import { compareBuilds } from '../compare.js'
import type { Pair, Shipped } from '../queries/compared_builds.js'
import { CHANGE_KINDS, type ChangeKind } from '../vocabulary.js'

const METADATA = {
  format: 'aab',
  platform: 'android',
  bundleId: 'com.acme.app',
  abis: [],
  profile: null,
  minimumOsVersion: '26',
  targetOsVersion: '36',
  permissions: [] as string[],
  signing: { schemes: ['v1'], certificateSha256: 'c1', isDebugSigned: false },
} as unknown as ArchiveMetadata

interface Given {
  permissions?: string[]
  components?: ArchiveContents['components']
  code?: number
  isOld?: boolean
}

/** Returns a build that was read. */
function shipped(number: string, given: Given = {}): Shipped {
  const { permissions = [], components = [], code = 1000, isOld = false } = given
  const sizes = { code, libraries: 0, extensions: 0, resources: 0, assets: 0, other: 0 }
  const contents = { components, exported: [], omitted: 0, omittedExported: 0, sizes, abiSizes: [] }
  return {
    name: `build ${number}`,
    build: {
      id: `build_${number}`,
      bucketId: 'bucket_1',
      version: '1',
      buildNumber: number,
      read: { metadata: { ...METADATA, permissions }, contents: isOld ? null : contents },
      why: null,
    },
  }
}

const asked = (change: ChangeKind, base: Shipped, build: Shipped, groupIds = ['group_1']) =>
  askedOf(change, [{ base, build, baseVersion: '1.0.0' }], groupIds)

const askedOf = (change: ChangeKind, pairs: Pair[], groupIds = ['group_1']) =>
  approvalsFor([{ key: change, change, groupIds }], pairs, (id) => `Name ${id}`)

const hash = (approvals: ReturnType<typeof asked>) => approvals[0]?.demand.contentHash

test.group('Approvals that rules ask for', () => {
  test('growth and shrinkage need an approval from five percent of the total size on', ({
    assert,
  }) => {
    const of = (code: number) => asked('sizeGrown', shipped('1'), shipped('2', { code }))
    assert.isEmpty(of(1049))
    assert.deepEqual(of(1050)[0].demand.changes, ['Total size: 1.0 kB → 1.1 kB'])
    assert.isEmpty(of(900))
    const smaller = (code: number) => asked('sizeShrunk', shipped('1'), shipped('2', { code }))
    assert.isEmpty(smaller(951))
    assert.deepEqual(smaller(950)[0].title, 'Shrinkage of 5 % or more since 1.0.0')
  })

  test('an approval has the same hash for the same changes, whatever the builds or versions', ({
    assert,
  }) => {
    const one = asked('permissionAdded', shipped('1'), shipped('2', { permissions: ['a'] }))
    const same = asked('permissionAdded', shipped('9'), shipped('3', { permissions: ['a'] }))
    const other = asked('permissionAdded', shipped('1'), shipped('2', { permissions: ['b'] }))
    assert.equal(hash(one), hash(same))
    assert.notEqual(hash(one), hash(other))
    const old = shipped('1', { isOld: true })
    const unknown = (number: string) => asked('frameworkAdded', old, shipped(number))
    assert.notEqual(hash(unknown('2')), hash(unknown('3')), 'Nobody knows that it is the same')
  })

  test('changes in the builds of several stores need one approval', ({ assert }) => {
    const [base, baseVersion] = [shipped('1'), '1.0.0']
    const first = { base, baseVersion, build: shipped('2') }
    const second = { base, baseVersion, build: shipped('3', { permissions: ['a'] }) }
    const third = { base, baseVersion, build: { name: 'build 4', build: null } }
    const [one, ...more] = askedOf('permissionAdded', [first, second])
    assert.isEmpty(more)
    assert.equal(one.description, 'Build 3 against 1.0.0 (build 1):\n- Asks for a')
    assert.equal(one.demand.buildId, 'build_3')
    assert.equal(hash([one]), hash(askedOf('permissionAdded', [second])))
    const [both] = askedOf('permissionAdded', [first, second, third])
    assert.equal(both.title, 'New permissions since 1.0.0: not known')
    assert.match(both.description, /- Asks for a\nBuild 4 was not compared/)
  })

  test('a hundred changes are listed, the others counted', ({ assert }) => {
    const components = Array.from({ length: 130 }, (_, each) => ({
      kind: 'library' as const,
      name: `group:artifact${each}`,
      version: '1',
    }))
    const [{ demand, description }] = asked(
      'frameworkAdded',
      shipped('1'),
      shipped('2', { components })
    )
    assert.deepEqual([demand.changes.length, demand.omitted], [100, 30])
    assert.match(description, /- and 30 more$/)
  })

  test('builds that cannot be compared need an approval that says why', ({ assert }) => {
    const none: Shipped = { name: 'build 7', build: null }
    const unread = shipped('8')
    unread.build!.read = null
    unread.build!.why = 'its file is still being read'
    const words = (base: Shipped, build: Shipped) =>
      asked('permissionAdded', base, build)[0].description
    assert.equal(
      words(shipped('1'), none),
      'Build 7 was not compared with 1.0.0: no bucket has a file of build 7.'
    )
    assert.equal(
      words(none, shipped('2')),
      'Build 2 was not compared with 1.0.0: no bucket has a file of 1.0.0.'
    )
    assert.equal(
      words(shipped('1'), unread),
      'Build 8 was not compared with 1.0.0. Of build 8, its file is still being read.'
    )
  })

  test('an approval is needed exactly if the comparison has a change of its kind', ({ assert }) => {
    const names = fc.subarray(['a', 'b', 'c'])
    const given = fc.record({
      permissions: names,
      components: names.map((all) =>
        all.map((name) => ({ kind: 'library' as const, name, version: '1' }))
      ),
    })
    fc.assert(
      fc.property(given, given, (before, after) => {
        const [base, build] = [shipped('1', before), shipped('2', after)]
        const { changes } = compareBuilds(base.build!.read!, build.build!.read!)
        for (const kind of CHANGE_KINDS) {
          const found = changes.filter((change) => change.kind === kind)
          const approvals = asked(kind, base, build)
          assert.lengthOf(approvals, found.length > 0 ? 1 : 0)
          for (const { demand, title, owners } of approvals) {
            assert.lengthOf(demand.changes, found.length)
            assert.isAtMost(title.length, 200)
            assert.deepEqual(owners, [{ type: 'group', id: 'group_1', name: 'Name group_1' }])
          }
        }
      }),
      { numRuns: runs(100) }
    )
  })
})
