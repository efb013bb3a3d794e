import type { BuildComparison } from '#comparison/entities'
import { ASPECT_WORDS, type ChangeKind } from '#comparison/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import type { Build } from '../buckets/answers.js'
import { buildName } from '../buckets/words.js'
import type { IconName } from '../frame/icon_names.js'
import type { PageCall, PageView } from '../frame/page.js'
import type { NamedApp } from '../keys/answers.js'
import { appName } from '../words/names.js'
import { counted, sizeDifference, sizeText } from '../words/numbers.js'

export type Comparison = BuildComparison
type Side = NonNullable<Comparison['build']>
type Change = Comparison['changes'][number]

/** A build to compare with. */
export type Other = Pick<Build, 'id' | 'version' | 'buildNumber' | 'artifactFileName'>

/** An app with its stores. */
export type ComparedApp = NamedApp & { destinations: readonly { id: string; name: string }[] }

export interface ComparisonAnswers {
  app: ComparedApp
  comparison: Comparison
  /** The other builds of the bucket; empty for the build of a release. */
  others: readonly Other[]
}

/** The sections of the page, each with its kinds of change. */
const SECTIONS: readonly (readonly [title: string, kinds: readonly ChangeKind[]])[] = [
  ['Identity', ['bundleIdChanged', 'signerChanged']],
  ['Permissions', ['permissionAdded', 'permissionRemoved']],
  ['Entitlements', ['entitlementAdded', 'entitlementRemoved', 'entitlementChanged']],
  [
    'What other apps can start',
    ['exportedComponentAdded', 'exportedComponentRemoved', 'exportedComponentChanged'],
  ],
  ['Frameworks and libraries', ['frameworkAdded', 'frameworkRemoved', 'frameworkUpdated']],
  [
    'Systems',
    [
      'minimumOsRaised',
      'minimumOsLowered',
      'targetChanged',
      'architectureAdded',
      'architectureRemoved',
    ],
  ],
]

/** The maximum number of changes in a section. */
const MAX_SHOWN = 200

const PARTS: Readonly<Record<string, string>> = {
  code: 'Code',
  libraries: 'Frameworks and native libraries',
  extensions: 'App extensions',
  resources: 'Resources',
  assets: 'Assets',
  other: 'Other',
}

type Call = Pick<PageCall, 'params' | 'query'>

/** Returns the view of two builds side by side. */
export function comparisonView({ app, comparison, others }: ComparisonAnswers, call: Call) {
  const { base, build, changes, notCompared, explanation } = comparison
  const { params } = call
  const { appId, bucketId, releaseId } = params
  const isRelease = bucketId === undefined
  const sections = SECTIONS.flatMap(([title, kinds]) => {
    const found = changes.filter(({ kind }) => kinds.includes(kind))
    if (found.length === 0) return []
    const rows = found.slice(0, MAX_SHOWN).map(rowOf)
    const hidden = found.length - rows.length
    return [{ title, rows, left: hidden > 0 ? `and ${hidden} more` : null }]
  })
  const since = base ? nameOf(base) : null
  const heading = since ? `What changed since ${since}` : 'What changed'
  const isCompared = explanation === null
  return {
    title: `${heading} · ${app.name}`,
    place: null,
    // A file may still be about to be read.
    pollSeconds: [base, build].some((side) => side?.whyUnread) ? 15 : null,
    crumbs: {
      app: {
        href: addressOf(addresses.app, { appId }),
        name: appName(app),
      },
      of: isRelease
        ? {
            href: addressOf(addresses.release, { appId, releaseId }),
            name: releaseId.slice(appId.length + 1),
          }
        : {
            href: addressOf(addresses.testerBuild, {
              appId,
              bucketId,
              buildDistroBuildId: params.buildDistroBuildId,
            }),
            name: build ? nameOf(build) : 'The build',
          },
    },
    heading,
    brief: isCompared ? briefOf(changes) : null,
    explanation,
    facts: factsOf(base, build),
    sections,
    notCompared:
      notCompared.length > 0
        ? `Not compared: ${notCompared.map((aspect) => ASPECT_WORDS[aspect]).join(', ')}. They were not read in full from both files, or the files are of different kinds.`
        : null,
    sizes: isCompared && !notCompared.includes('sizes') ? sizesOf(base, build) : [],
    choose: isRelease ? storeChoice(app, call) : baseChoice(others, call),
  } satisfies PageView & Record<string, unknown>
}

/** Returns the choice between the stores of a release; null for a single store. */
function storeChoice({ destinations }: ComparedApp, { params, query }: Call) {
  if (destinations.length < 2) return null
  const [first] = destinations
  const here = query.destinationId ?? first.id
  return {
    action: addressOf(addresses.releaseComparison, params),
    name: 'destinationId',
    label: 'Store',
    options: destinations.map(({ id, name }) => ({ value: id, label: name, isOn: id === here })),
  }
}

/** Returns the choice of the build that a build of a bucket is compared with. */
const baseChoice = (others: readonly Other[], { params, query }: Call) => ({
  action: addressOf(addresses.testerBuildComparison, params),
  name: 'base',
  label: 'Compare with',
  options: [
    { value: '', label: 'The version that users have', isOn: !query.base },
    ...others.map((each) => ({
      value: each.id,
      label: buildName(each as Build),
      isOn: each.id === query.base,
    })),
  ],
})

/** Returns how much has changed. Sizes do not count, as they have their own table. */
function briefOf(changes: readonly Change[]): string {
  const named = changes.filter(({ kind }) => !kind.startsWith('size')).length
  if (named === 0) return changes.length === 0 ? 'Nothing changed.' : 'Only sizes changed.'
  return counted(named, 'change')
}

/** Returns the name of a build: its version if that is known. */
const nameOf = ({ name, version, buildNumber }: Side): string =>
  version === null ? name : `${version}${buildNumber ? ` (${buildNumber})` : ''}`

const MARKS: Readonly<Record<string, { icon: IconName; word: string; colour: string }>> = {
  Added: { icon: 'plus', word: 'New', colour: 'am' },
  Removed: { icon: 'circle-minus', word: 'Gone', colour: 'hint' },
  Changed: { icon: 'rotate-ccw', word: 'Changed', colour: 'blue' },
}

function rowOf({ kind, subject, from, to, message }: Change) {
  const ending = /(Added|Removed)$/.exec(kind)?.[1] ?? 'Changed'
  const isChange = ending === 'Changed'
  // An exported component without a permission can be started by every app.
  const none = kind === 'exportedComponentChanged' ? 'no permission' : null
  const values = [from ?? none, to ?? none].filter((each) => each !== null)
  return {
    ...MARKS[ending],
    // A change without a subject is described in words.
    name: subject ?? message,
    value: subject === null ? null : values.join(isChange ? ' → ' : '') || null,
  }
}

/** Returns the facts about both builds. Those that are unknown for both are left out. */
function factsOf(base: Side | null, build: Side | null) {
  const facts: readonly (readonly [name: string, of: (side: Side) => string | null])[] = [
    ['Build', nameOf],
    ['File', ({ format }) => format && `.${format}`],
    ['Size', (side) => side.contents && sizeText(wholeOf(side))],
    ['Minimum OS version', ({ minimumOsVersion }) => minimumOsVersion],
    ['Target OS version', ({ targetOsVersion }) => targetOsVersion],
    // The answer leaves out permissions of a build whose bucket the reader may not see.
    [
      'Asks for',
      ({ buildId, format, permissions }) =>
        buildId && format && counted(permissions.length, 'permission'),
    ],
    ['Components', ({ contents }) => contents && counted(contents.components.length, 'component')],
  ]
  return facts.flatMap(([name, of]) => {
    const [before, after] = [base && of(base), build && of(build)]
    return before || after ? [{ name, before: before ?? '–', after: after ?? '–' }] : []
  })
}

const wholeOf = ({ contents }: Side): number =>
  Object.values(contents?.sizes ?? {}).reduce((sum, bytes) => sum + bytes, 0)

/** Returns the sizes of both builds: in total, by part, and by architecture. */
function sizesOf(base: Side | null, build: Side | null) {
  const [before, after] = [base?.contents, build?.contents]
  if (!base || !build || !before || !after) return []
  const abis = new Map(before.abiSizes.map(({ abi, bytes }) => [abi, bytes]))
  const abisAfter = new Map(after.abiSizes.map(({ abi, bytes }) => [abi, bytes]))
  const rows: readonly (readonly [name: string, from: number, to: number])[] = [
    ['Total', wholeOf(base), wholeOf(build)],
    ...Object.entries(PARTS).map(
      ([part, name]) => [name, before.sizes[part] ?? 0, after.sizes[part] ?? 0] as const
    ),
    ...[...new Set([...abis.keys(), ...abisAfter.keys()])].map(
      (abi) => [`Native code for ${abi}`, abis.get(abi) ?? 0, abisAfter.get(abi) ?? 0] as const
    ),
  ]
  return rows
    .filter(([, from, to]) => from > 0 || to > 0)
    .map(([name, from, to]) => ({
      name,
      both: `${sizeText(from)} → ${sizeText(to)}`,
      difference: sizeDifference(from, to),
    }))
}
