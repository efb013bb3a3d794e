import type { Fields, Inspector, Element } from '#configuration/checks/inspector'
import { CONSOLE_DEEDS, CONSOLE_NAMES, CONSOLES } from '../world/consoles.js'
import { PROVIDER_NAMES, type AffectedProvider } from '../world/world.js'
import { readDuration, readShare } from './read_values.js'
import type { Scenario } from './scenario.js'

type Moments = Pick<Scenario, 'spikes' | 'drops' | 'outages' | 'limits' | 'revocations' | 'deeds'>

const KINDS = ['outage', 'limited', 'revoked', 'crashes', 'drop', 'console'] as const
const FIELDS = [
  ...(['what', 'at', 'lasting', 'of', 'version', 'fromShare'] as const),
  ...(['sessions', 'event', 'left', 'store', 'deed', 'when'] as const),
]
type Field = (typeof FIELDS)[number]

/** The fields that each kind allows besides `what` and `at`. */
const ALLOWED_FIELDS: Readonly<Record<(typeof KINDS)[number], readonly Field[]>> = {
  outage: ['of', 'lasting'],
  limited: ['of', 'lasting'],
  revoked: ['of', 'lasting'],
  crashes: ['version', 'fromShare', 'lasting', 'sessions'],
  drop: ['version', 'fromShare', 'lasting', 'event', 'left'],
  console: ['store', 'deed', 'when'],
}
const TROUBLES = { outage: 'outages', limited: 'limits', revoked: 'revocations' } as const
const MAX_MOMENTS = 200

/** Reads the moments of a scenario, which may overlap. */
export function readMoments(inspector: Inspector, element: Element | undefined): Moments {
  const moments = { spikes: [], drops: [], outages: [], limits: [], revocations: [], deeds: [] }
  const items = element ? inspector.items(element, 'moments', MAX_MOMENTS) : []
  for (const item of items) readMoment(inspector, item, moments)
  return moments
}

type Writable<Lists> = {
  -readonly [Name in keyof Lists]: Lists[Name] extends readonly (infer Each)[] ? Each[] : never
}

function readMoment(inspector: Inspector, element: Element, moments: Writable<Moments>): void {
  const fields = inspector.fields(element, FIELDS)
  if (!fields) return
  const what = inspector.required(element, 'what', fields.what, (each) =>
    inspector.choice(each, KINDS)
  )
  if (what === undefined) return
  for (const name of FIELDS) {
    const isAllowed = name === 'what' || name === 'at' || ALLOWED_FIELDS[what].includes(name)
    const at = fields[name]
    if (at && !isAllowed)
      inspector.problems.add(at, 'not_allowed', `${name} cannot be combined with ${what}`)
  }
  const at = inspector.optional(fields.at, (each) => readDuration(inspector, each)) ?? null
  if (what === 'console') return readConsole(inspector, { element, fields, at }, moments)
  const lasting =
    inspector.optional(fields.lasting, (each) => readDuration(inspector, each)) ?? null
  const from = at ?? 0
  const span = { from, until: lasting === null ? null : from + lasting }
  if (what === 'outage' || what === 'limited' || what === 'revoked') {
    const provider = inspector.optional(fields.of, (each) => readProvider(inspector, each)) ?? null
    moments[TROUBLES[what]].push({ of: provider, ...span })
    return
  }
  const text = (each: Element) => inspector.text(each, 100)
  const version = inspector.optional(fields.version, text) ?? null
  const share = (each: Element) => readShare(inspector, each)
  const affected = {
    version,
    ...span,
    fromShare: inspector.optional(fields.fromShare, share) ?? null,
  }
  if (what === 'crashes') {
    const crashing = inspector.required(element, 'sessions', fields.sessions, share)
    if (crashing !== undefined) moments.spikes.push({ ...affected, crashing })
    return
  }
  const event = inspector.required(element, 'event', fields.event, text)
  const left = inspector.required(element, 'left', fields.left, share)
  if (event !== undefined && left !== undefined) moments.drops.push({ ...affected, event, left })
}

/** Reads the name of a provider. */
function readProvider(inspector: Inspector, element: Element): AffectedProvider | undefined {
  const names = Object.values(PROVIDER_NAMES)
  const name = inspector.choice(element, names)
  const found = Object.entries(PROVIDER_NAMES).find(([, each]) => each === name)
  return found?.[0] as AffectedProvider | undefined
}

/** States that a console action may wait for, as the stores name them. */
const STATES = {
  appStore: [
    ...['PREPARE_FOR_SUBMISSION', 'WAITING_FOR_REVIEW', 'IN_REVIEW', 'REJECTED'],
    ...['METADATA_REJECTED', 'DEVELOPER_REJECTED', 'PENDING_DEVELOPER_RELEASE'],
    ...['PENDING_APPLE_RELEASE', 'PROCESSING_FOR_DISTRIBUTION', 'READY_FOR_DISTRIBUTION'],
    'DEVELOPER_REMOVED_FROM_SALE',
  ],
  googlePlay: [
    ...['DRAFT', 'NOT_SENT_FOR_REVIEW', 'IN_REVIEW', 'NOT_APPROVED'],
    ...['APPROVED_NOT_PUBLISHED', 'PUBLISHED'],
  ],
}

function readConsole(
  inspector: Inspector,
  { element, fields, at }: { element: Element; fields: Fields<Field>; at: number | null },
  moments: Writable<Moments>
): void {
  const store = inspector.required(element, 'store', fields.store, (each) =>
    inspector.choice(each, CONSOLE_NAMES)
  )
  if (store === undefined) return
  const action = inspector.required(element, 'deed', fields.deed, (each) =>
    inspector.choice(each, CONSOLE_DEEDS[CONSOLES[store]])
  )
  const state = (each: Element) => inspector.choice(each, STATES[store])
  const when = inspector.optional(fields.when, state) ?? null
  const hasOneTime = (fields.at === undefined) !== (fields.when === undefined)
  if (!hasOneTime) inspector.problems.add(element, 'conflict', 'An action has either at or when')
  else if (action !== undefined)
    moments.deeds.push({ store: CONSOLES[store], deed: action, at, when })
}
