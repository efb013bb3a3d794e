import { test } from '@japa/runner'
import fc from 'fast-check'
import type { ArchiveContents, ArchiveMetadata } from '#app-archives/metadata'
import { runs } from '#tests/support/effort'
import { changeText } from '../change_words.js'
import { compareBuilds, type BuildChange, type ReadBuild } from '../compare.js'
import { CHANGE_KINDS, type ChangeKind } from '../vocabulary.js'

const METADATA: ArchiveMetadata = {
  format: 'ipa',
  platform: 'ios',
  bundleId: 'com.acme.app',
  name: 'Acme',
  version: '4.2.0',
  buildNumber: '4711',
  minimumOsVersion: '16.0',
  targetOsVersion: '26.0',
  abis: ['arm64'],
  permissions: [],
  signing: null,
  profileFailure: null,
  iconFailure: null,
  profile: {
    name: null,
    type: 'store',
    teamId: 'T',
    teamName: null,
    expiresAt: null,
    certificateExpiresAt: null,
    deviceCount: null,
    getTaskAllow: false,
    entitlements: {},
  },
}
const CONTENTS: ArchiveContents = {
  components: [],
  exported: [],
  omitted: 0,
  omittedExported: 0,
  abiSizes: [],
  sizes: { code: 1000, libraries: 0, extensions: 0, resources: 0, assets: 0, other: 0 },
}

type Changed = Partial<Omit<ArchiveMetadata, 'profile'>> & {
  entitlements?: Record<string, unknown> | null
  contents?: Partial<ArchiveContents> | null
}

function build({ entitlements = {}, contents = {}, ...metadata }: Changed = {}): ReadBuild {
  return {
    metadata: { ...METADATA, ...metadata, profile: { ...METADATA.profile!, entitlements } },
    contents: contents && { ...CONTENTS, ...contents },
  }
}

const changesOf = (before: ReadBuild, after: ReadBuild) =>
  compareBuilds(before, after).changes.map(({ kind, subject, from, to }) =>
    [kind, subject, from, to].filter((each) => each !== null).join(' ')
  )

const OPPOSITE: Partial<Record<ChangeKind, ChangeKind>> = {
  permissionAdded: 'permissionRemoved',
  entitlementAdded: 'entitlementRemoved',
  exportedComponentAdded: 'exportedComponentRemoved',
  frameworkAdded: 'frameworkRemoved',
  minimumOsRaised: 'minimumOsLowered',
  architectureAdded: 'architectureRemoved',
  sizeGrown: 'sizeShrunk',
}
const MIRRORED = new Map(
  Object.entries(OPPOSITE).flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ])
) as Map<ChangeKind, ChangeKind>

/** Returns the change from the other build's side. */
const mirrored = ({ kind, subject, from, to }: BuildChange): BuildChange => ({
  kind: MIRRORED.get(kind) ?? kind,
  subject,
  from: to,
  to: from,
})
const asSet = (changes: readonly BuildChange[]) =>
  changes.map((each) => JSON.stringify(each)).sort()

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')
const version = fc.option(fc.constantFrom('1', '1.0', '2', 'beta'), { nil: null })
const set = fc.uniqueArray(name, { maxLength: 4 })

const anyBuild: fc.Arbitrary<ReadBuild> = fc
  .record({
    format: fc.constantFrom('ipa', 'apk'),
    bundleId: name,
    minimumOsVersion: fc.option(fc.constantFrom('16', '16.0', '9.3', '17.1', 'x'), { nil: null }),
    targetOsVersion: version,
    abis: set,
    permissions: set,
    entitlements: fc.option(
      fc.uniqueArray(fc.tuple(name, fc.constantFrom(true, 'x', 'y')), {
        selector: ([key]) => key,
      }),
      { nil: null }
    ),
    components: fc.uniqueArray(
      fc.record({ kind: fc.constantFrom('framework', 'native'), name, version }),
      { selector: ({ kind, name: of }) => `${kind} ${of}` }
    ),
    exported: fc.uniqueArray(
      fc.record({ type: fc.constantFrom('activity', 'service'), name, permission: version }),
      { selector: ({ type, name: of }) => `${type} ${of}` }
    ),
    omitted: fc.constantFrom(0, 0, 0, 1),
    omittedExported: fc.constantFrom(0, 0, 0, 1),
    code: fc.nat(3),
    abiSizes: fc.uniqueArray(fc.record({ abi: name, bytes: fc.nat(3) }), {
      selector: ({ abi }) => abi,
    }),
    isRead: fc.constantFrom(true, true, true, false),
  })
  .map(
    ({
      entitlements,
      components,
      exported,
      omitted,
      omittedExported,
      code,
      abiSizes,
      isRead,
      ...metadata
    }) => ({
      ...build({
        ...(metadata as Partial<ArchiveMetadata>),
        entitlements: entitlements && Object.fromEntries(entitlements),
      }),
      contents: isRead
        ? ({
            components,
            exported,
            omitted,
            omittedExported,
            abiSizes,
            sizes: { ...CONTENTS.sizes, code },
          } as ArchiveContents)
        : null,
    })
  )

const RUNS = { numRuns: runs(300) }

test.group('Two builds, compared', () => {
  test('each kind of change is reported by name, in a fixed order', ({ assert }) => {
    const before = build({
      permissions: ['mic'],
      entitlements: { push: 'dev', gone: true, same: { b: 1, a: [2] } },
      contents: {
        components: [
          { kind: 'framework', name: 'Old', version: '1.0' },
          { kind: 'framework', name: 'Kit', version: '1.0' },
        ],
        exported: [
          { type: 'service', name: 'Sync', permission: 'acme.SYNC' },
          { type: 'urlScheme', name: 'old', permission: null },
        ],
      },
    })
    const after = build({
      bundleId: 'com.acme.other',
      permissions: ['camera'],
      minimumOsVersion: '17.0',
      targetOsVersion: '26.1',
      abis: ['arm64', 'arm64e'],
      entitlements: { push: 'prod', wallet: ['x'], same: { a: [2], b: 1 } },
      contents: {
        components: [
          { kind: 'framework', name: 'Kit', version: '1.1' },
          { kind: 'library', name: 'New', version: null },
        ],
        exported: [
          { type: 'service', name: 'Sync', permission: null },
          { type: 'activity', name: 'Share', permission: null },
        ],
        sizes: { ...CONTENTS.sizes, code: 900, libraries: 300 },
      },
    })
    assert.deepEqual(changesOf(before, after), [
      'bundleIdChanged com.acme.app com.acme.other',
      'permissionAdded camera',
      'permissionRemoved mic',
      'entitlementAdded wallet ["x"]',
      'entitlementRemoved gone true',
      'entitlementChanged push "dev" "prod"',
      'exportedComponentAdded activity Share',
      'exportedComponentRemoved urlScheme old',
      'exportedComponentChanged service Sync acme.SYNC',
      'frameworkAdded library New',
      'frameworkRemoved framework Old 1.0',
      'frameworkUpdated framework Kit 1.0 1.1',
      'minimumOsRaised 16.0 17.0',
      'targetChanged 26.0 26.1',
      'architectureAdded arm64e',
      'sizeGrown libraries 0 300',
      'sizeGrown whole 1000 1200',
      'sizeShrunk code 1000 900',
    ])
  })

  test('OS versions are compared number by number', ({ assert }) => {
    const of = (minimumOsVersion: string | null) => build({ minimumOsVersion })
    assert.deepEqual(changesOf(of('9.3'), of('16')), ['minimumOsRaised 9.3 16'])
    assert.deepEqual(changesOf(of('16'), of('16.0')), [])
    assert.deepEqual(changesOf(of('26'), of('24')), ['minimumOsLowered 26 24'])
    assert.deepEqual(changesOf(of(null), of('24')), ['minimumOsRaised 24'])
  })

  test('aspects that were not read completely are reported as not compared', ({ assert }) => {
    const full = build({ permissions: ['a'], entitlements: { b: 1 } })
    const old = build({ contents: null, entitlements: null })
    const { changes, notCompared } = compareBuilds(old, full)
    assert.deepEqual(notCompared, ['entitlements', 'exportedComponents', 'frameworks', 'sizes'])
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['permissionAdded']
    )
    const many = build({ permissions: Array.from({ length: 200 }, (_, each) => `p${each}`) })
    assert.deepEqual(compareBuilds(full, many).notCompared, ['permissions'])
    const cut = build({ contents: { omitted: 1 } })
    assert.deepEqual(compareBuilds(full, cut).notCompared, ['frameworks'])
    const shut = build({ contents: { omittedExported: 1 } })
    assert.deepEqual(compareBuilds(full, shut).notCompared, ['exportedComponents'])
    const apk = build({ format: 'apk', abis: ['x86'] })
    const { notCompared: across, changes: alike } = compareBuilds(build(), apk)
    assert.deepEqual(across, ['signer', 'frameworks', 'architectures', 'sizes'])
    assert.isEmpty(alike)
    const unsigned = { ...build(), metadata: { ...METADATA, profile: null } }
    const { notCompared: signed, changes: none } = compareBuilds(build(), unsigned)
    assert.deepEqual([signed, none], [['signer', 'entitlements'], []])
  })

  test('a version that only one of two builds states is not a change', ({ assert }) => {
    const of = (numbered: string | null) =>
      build({ contents: { components: [{ kind: 'framework', name: 'Kit', version: numbered }] } })
    assert.isEmpty(changesOf(of('1.0'), of(null)))
    assert.deepEqual(changesOf(of('1.0'), of('1.1')), ['frameworkUpdated framework Kit 1.0 1.1'])
  })

  test('folders of native code that are named like parts hide no size', ({ assert }) => {
    const abiSizes = [
      { abi: 'whole', bytes: 7 },
      { abi: 'code', bytes: 7 },
    ]
    const of = (code: number) =>
      build({ contents: { abiSizes, sizes: { ...CONTENTS.sizes, code } } })
    assert.deepEqual(changesOf(of(10), of(30)), ['sizeGrown code 10 30', 'sizeGrown whole 10 30'])
  })

  test('nothing changed from a build to itself', ({ assert }) => {
    fc.assert(
      fc.property(anyBuild, (one) => {
        assert.isEmpty(compareBuilds(one, structuredClone(one)).changes)
      }),
      RUNS
    )
  })

  test('swapping the builds turns each change into its opposite', ({ assert }) => {
    fc.assert(
      fc.property(anyBuild, anyBuild, (one, other) => {
        const [there, back] = [compareBuilds(one, other), compareBuilds(other, one)]
        assert.deepEqual(asSet(back.changes), asSet(there.changes.map(mirrored)))
        assert.deepEqual(back.notCompared, there.notCompared)
      }),
      RUNS
    )
  })

  test('exactly the differing facts are reported', ({ assert }) => {
    /** Returns the compared facts of a build, as text. */
    const facts = (
      { metadata: m, contents }: ReadBuild,
      skipped: readonly string[],
      other: ReadBuild
    ) =>
      new Set([
        `bundleId ${m.bundleId}`,
        `target ${m.targetOsVersion}`,
        `minimum ${m.minimumOsVersion?.replace(/\.0$/, '')}`,
        ...m.permissions.map((each) => `permission ${each}`),
        ...(skipped.includes('architectures') ? [] : m.abis.map((each) => `abi ${each}`)),
        ...(skipped.includes('entitlements')
          ? []
          : Object.entries(m.profile!.entitlements ?? {}).map(([key, value]) => `${key}=${value}`)),
        ...(skipped.includes('frameworks')
          ? []
          : contents!.components.map((each) => {
              const isTwin = ({ kind, name: of }: typeof each) =>
                kind === each.kind && of === each.name
              const twin = other.contents!.components.find(isTwin) ?? each
              return `${each.kind} ${each.name} ${twin.version && each.version}`
            })),
        ...(skipped.includes('exportedComponents')
          ? []
          : contents!.exported.map((each) => JSON.stringify(each))),
        ...(skipped.includes('sizes')
          ? []
          : [
              `code ${contents!.sizes.code}`,
              ...contents!.abiSizes.flatMap(({ abi, bytes }) => (bytes ? `${abi} ${bytes}` : [])),
            ]),
      ])
    fc.assert(
      fc.property(anyBuild, anyBuild, (one, other) => {
        const { changes, notCompared } = compareBuilds(one, other)
        const [before, after] = [facts(one, notCompared, other), facts(other, notCompared, one)]
        assert.equal(changes.length === 0, before.symmetricDifference(after).size === 0)
        const keys = changes.map(({ kind, subject }) => `${kind} ${subject}`)
        assert.equal(new Set(keys).size, keys.length)
      }),
      RUNS
    )
  })
})

test.group('Changes in words', () => {
  test('every kind has a sentence that names its subject or values', ({ assert }) => {
    for (const kind of CHANGE_KINDS) {
      const text = changeText({ kind, subject: 'x.Y', from: '10', to: '20' })
      assert.match(text, /^[A-Zx].*(x\.Y|10|20)/)
    }
  })
})
