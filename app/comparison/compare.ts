import { compareTexts } from '../foundation/core/compare_texts.js'
import { LIMITS } from '#app-archives/limits'
import type { ArchiveContents, ArchiveMetadata } from '#app-archives/metadata'
import { ASPECTS, CHANGE_KINDS, WHOLE, type Aspect, type ChangeKind } from './vocabulary.js'

/** The information read from the file of a build. */
export interface ReadBuild {
  metadata: ArchiveMetadata
  /** Null if an older version of the service read the file. */
  contents: ArchiveContents | null
}

/** One difference between two builds. */
export interface BuildChange {
  kind: ChangeKind
  /** The thing that differs, if there are several of the kind; otherwise null. */
  subject: string | null
  /** As it was, in text; sizes in bytes. */
  from: string | null
  to: string | null
}

/** The differences between two builds, and the aspects that could not be compared. */
export interface Comparison {
  changes: BuildChange[]
  notCompared: Aspect[]
}

/** The kinds of change for something that only one build has, or that differs. */
interface Kinds {
  added: ChangeKind
  removed: ChangeKind
  changed: ChangeKind | null
}

const KINDS = {
  permissions: { added: 'permissionAdded', removed: 'permissionRemoved', changed: null },
  entitlements: {
    added: 'entitlementAdded',
    removed: 'entitlementRemoved',
    changed: 'entitlementChanged',
  },
  exportedComponents: {
    added: 'exportedComponentAdded',
    removed: 'exportedComponentRemoved',
    changed: 'exportedComponentChanged',
  },
  frameworks: { added: 'frameworkAdded', removed: 'frameworkRemoved', changed: 'frameworkUpdated' },
  architectures: { added: 'architectureAdded', removed: 'architectureRemoved', changed: null },
} as const satisfies Record<string, Kinds>

/**
 * Returns what changed from one build to another. Pure, in linear time. A build compared with itself
 * has no changes; swapping the builds turns each change into its opposite.
 */
export function compareBuilds(before: ReadBuild, after: ReadBuild): Comparison {
  const notCompared = unreadAspects(before, after)
  const skips = new Set(notCompared)
  const ifCompared = (aspect: Aspect, changes: () => BuildChange[]) =>
    skips.has(aspect) ? [] : changes()
  const [was, is] = [before.metadata, after.metadata]
  const changes = [
    ...singleChange('bundleIdChanged', was.bundleId, is.bundleId),
    ...ifCompared('signer', () => singleChange('signerChanged', signerOf(before), signerOf(after))),
    ...namedChanges(KINDS.permissions, permissionsOf(before), permissionsOf(after)),
    ...ifCompared('entitlements', () =>
      namedChanges(KINDS.entitlements, entitlementsOf(before), entitlementsOf(after))
    ),
    ...ifCompared('exportedComponents', () =>
      namedChanges(KINDS.exportedComponents, exportedOf(before), exportedOf(after))
    ),
    ...ifCompared('frameworks', () =>
      namedChanges(KINDS.frameworks, componentsOf(before), componentsOf(after)).filter(isKnown)
    ),
    ...versionChange(
      ['minimumOsRaised', 'minimumOsLowered'],
      was.minimumOsVersion,
      is.minimumOsVersion
    ),
    ...singleChange('targetChanged', was.targetOsVersion, is.targetOsVersion),
    ...ifCompared('architectures', () =>
      namedChanges(KINDS.architectures, keysOf(was.abis), keysOf(is.abis))
    ),
    ...ifCompared('sizes', () => sizeChanges(sizesOf(before), sizesOf(after))),
  ]
  return { changes: inOrder(changes), notCompared }
}

/** Returns the aspect that reports a kind of change; null for facts that are always read. */
export function aspectOf(kind: ChangeKind): Aspect | null {
  if (kind === 'signerChanged') return 'signer'
  if (kind.startsWith('architecture')) return 'architectures'
  if (kind.startsWith('permission')) return 'permissions'
  if (kind.startsWith('entitlement')) return 'entitlements'
  if (kind.startsWith('exportedComponent')) return 'exportedComponents'
  if (kind.startsWith('framework')) return 'frameworks'
  return kind.startsWith('size') ? 'sizes' : null
}

/**
 * Returns the aspects that were not read completely from both builds, or that cannot be compared
 * between their formats.
 */
function unreadAspects(one: ReadBuild, other: ReadBuild): Aspect[] {
  const both = [one, other]
  const isAny = (holds: (build: ReadBuild) => boolean) => both.some(holds)
  const isSameFormat = one.metadata.format === other.metadata.format
  const isUnread: Record<Aspect, boolean> = {
    // The store signs a bundle again, and a bundle holds files for all devices.
    signer: !isSameFormat || isAny((build) => signerOf(build) === null),
    architectures: !isSameFormat,
    permissions: isAny(({ metadata }) => metadata.permissions.length >= LIMITS.permissions),
    entitlements: isAny(
      ({ metadata: { format, profile } }) => format === 'ipa' && !profile?.entitlements
    ),
    exportedComponents: isAny(({ contents }) => contents === null || contents.omittedExported > 0),
    frameworks: !isSameFormat || isAny(({ contents }) => contents === null || contents.omitted > 0),
    sizes: !isSameFormat || isAny(({ contents }) => contents === null),
  }
  return ASPECTS.filter((aspect) => isUnread[aspect])
}

const signerOf = ({ metadata: { signing, profile } }: ReadBuild) =>
  signing?.certificateSha256 ?? profile?.teamId ?? null

const permissionsOf = ({ metadata }: ReadBuild) => keysOf(metadata.permissions)

const keysOf = (names: readonly string[]) => new Map(names.map((name) => [name, null]))

function entitlementsOf({ metadata: { profile } }: ReadBuild): Map<string, string | null> {
  const entries = Object.entries(profile?.entitlements ?? {})
  return new Map(entries.map(([name, value]) => [name, canonical(value)]))
}

const exportedOf = ({ contents }: ReadBuild) =>
  new Map(contents!.exported.map(({ type, name, permission }) => [`${type} ${name}`, permission]))

/** A native library has no version of its own: its architectures are reported separately. */
const componentsOf = ({ contents }: ReadBuild) =>
  new Map(contents!.components.map(({ kind, name, version }) => [`${kind} ${name}`, version]))

/** A version that only one of the two builds states is not a difference. */
const isKnown = ({ kind, from, to }: BuildChange) =>
  kind !== 'frameworkUpdated' || (from !== null && to !== null)

/** Sizes by part and architecture, and of the whole. */
function sizesOf({ contents }: ReadBuild): Map<string, number> {
  const { sizes, abiSizes } = contents!
  const parts = Object.entries(sizes)
  return new Map([
    [WHOLE, parts.reduce((sum, [, bytes]) => sum + bytes, 0)],
    ...parts,
    ...abiSizes.map(({ abi, bytes }): [string, number] => [`native ${abi}`, bytes]),
  ])
}

function sizeChanges(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>
): BuildChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((subject) => {
    const [from, to] = [before.get(subject) ?? 0, after.get(subject) ?? 0]
    if (from === to) return []
    const kind = to > from ? ('sizeGrown' as const) : ('sizeShrunk' as const)
    return [{ kind, subject, from: String(from), to: String(to) }]
  })
}

function namedChanges(
  kinds: Kinds,
  before: ReadonlyMap<string, string | null>,
  after: ReadonlyMap<string, string | null>
): BuildChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((subject): BuildChange[] => {
    const [from = null, to = null] = [before.get(subject), after.get(subject)]
    if (!before.has(subject)) return [{ kind: kinds.added, subject, from, to }]
    if (!after.has(subject)) return [{ kind: kinds.removed, subject, from, to }]
    return kinds.changed && from !== to ? [{ kind: kinds.changed, subject, from, to }] : []
  })
}

const singleChange = (kind: ChangeKind, from: string | null, to: string | null): BuildChange[] =>
  from === to ? [] : [{ kind, subject: null, from, to }]

function versionChange(
  [raised, lowered]: [ChangeKind, ChangeKind],
  from: string | null,
  to: string | null
): BuildChange[] {
  const order = compareSystems(from ?? '', to ?? '')
  return order === 0 ? [] : [{ kind: order < 0 ? raised : lowered, subject: null, from, to }]
}

/** Compares OS versions number by number: 9 is below 16, and 16 equals 16.0. */
function compareSystems(one: string, other: string): number {
  const [a, b] = [one, other].map(numbersOf)
  if (a === null || b === null) return one === other ? 0 : compareTexts(one, other)
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

const numbersOf = (version: string) =>
  /^\d{1,9}(\.\d{1,9}){0,5}$/.test(version) ? version.split('.').map(Number) : null

/** Serializes a value with sorted keys, so that equal values have equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => compareTexts(a, b)))
      : each
  )
}

function inOrder(changes: readonly BuildChange[]): BuildChange[] {
  const place = new Map(CHANGE_KINDS.map((kind, index) => [kind, index]))
  return changes.toSorted(
    (one, other) =>
      place.get(one.kind)! - place.get(other.kind)! ||
      compareTexts(one.subject ?? '', other.subject ?? '')
  )
}
