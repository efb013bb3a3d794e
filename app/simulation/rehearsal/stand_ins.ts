import { isMap, parseDocument, type Document, type YAMLMap } from 'yaml'
import type { IntegrationTypeInfo } from '#integrations/vocabulary'
import { UsageError } from '#foundation/console/usage_error'
import { DATA_FIELDS, type Kind } from '#plugin-kit/kinds'

/*
 * Replaces the providers of a configuration file by simulated ones. Only its integrations change;
 * the rest of the file is rehearsed as it is.
 */

interface StandIn {
  integration: string
  /** The type in the configuration file. */
  type: string
  standIn: string
  kind: Kind
}

export interface Substitution {
  configuration: string
  standIns: StandIn[]
  /** Content that the file expects in addition to the usual content of worlds. */
  expected: Record<
    'workflows' | 'channels' | 'repositories' | 'branches' | 'apps' | 'projects',
    string[]
  >
}

/** Aliases of the connections of a rehearsal, by plugin. */
export const ALIASES = {
  'sim': 'Rehearsal',
  'sim-apple': 'Rehearsal App Store',
  'sim-google': 'Rehearsal Google Play',
  'generic-analytics': 'Rehearsal measurements',
  'sim-git': 'Rehearsal git host',
} as const
type Plugin = keyof typeof ALIASES

const WORLD_TYPES: Readonly<Partial<Record<Kind, string>>> = {
  versionControl: 'sim-vcs',
  ci: 'sim-ci',
  testManagement: 'sim-tests',
  issueTracking: 'sim-issues',
  chat: 'sim-chat',
  crashMonitoring: 'sim-crashes',
  productAnalytics: 'sim-analytics',
  experimentation: 'sim-flags',
  onCall: 'sim-on-call',
  localization: 'sim-translations',
}

/** Incoming events need no stand-in: a rehearsal sends them, too. */
const INBOUND = 'generic-analytics'

/**
 * Replaces the integrations of a configuration file.
 * @param types the known integration types
 * @param hasRepository true if version control is a git repository
 * @throws UsageError for an integration of an unknown kind
 */
export function standIn(
  configuration: string,
  types: ReadonlyMap<string, IntegrationTypeInfo>,
  hasRepository: boolean
): Substitution {
  const document = parseDocument(configuration, { version: '1.2', schema: 'core' })
  const expected: Substitution['expected'] = {
    ...{ workflows: [], channels: [], repositories: [], branches: [], apps: [], projects: [] },
  }
  const standIns: StandIn[] = []
  const platform = document.get('platform')
  // An icon would be fetched over the network.
  document.delete('icon')
  const integrations = document.get('integrations')
  for (const { key, value } of isMap(integrations) ? integrations.items : []) {
    const name = String(key)
    if (!isMap(value)) continue
    const type = String(value.get('type') ?? '')
    const kind = types.get(type)?.kind ?? kindOf(document, name, value)
    if (kind === null) {
      const known = [...types.keys()].filter((each) => !each.startsWith('sim-')).join(', ')
      const reason = type === '' ? 'it has no type' : `"${type}" is no type that is known`
      throw new UsageError(
        `It is not known what the integration "${name}" is: ${reason}; give it one of ${known}.`
      )
    }
    const [standInType, plugin] = standInFor(kind, { type, platform, hasRepository })
    value.set('type', standInType)
    value.set('provider', ALIASES[plugin])
    value.set('data', document.createNode(dataOf(kind, value, expected)))
    standIns.push({ integration: name, type: type || kind, standIn: standInType, kind })
  }
  const whole = document.toJSON() as Record<string, Record<string, Record<string, unknown>>>
  expected.channels.push(...textsAt(whole['x-notifications'], 'channelOverride'))
  expected.branches.push(...textsAt(whole.branchSettings, 'workingBranch'))
  return { configuration: document.toString(), standIns, expected }
}

function standInFor(
  kind: Kind,
  given: { type: string; platform: unknown; hasRepository: boolean }
): [string, Plugin] {
  if (given.type === INBOUND) return [INBOUND, INBOUND]
  if (kind === 'versionControl' && given.hasRepository) return ['sim-git-vcs', 'sim-git']
  const store = given.type.startsWith('apple') || given.platform === 'ios' ? 'apple' : 'google'
  if (kind === 'appStore') return [`sim-${store}`, `sim-${store}`]
  if (kind === 'betaTesting') return [`sim-${store}-beta`, `sim-${store}`]
  return [WORLD_TYPES[kind]!, 'sim']
}

/** Returns the kind of an integration of unknown type, by its references or its data. */
function kindOf(document: Document, name: string, integration: YAMLMap): Kind | null {
  const branches = document.get('branchSettings')
  if (isMap(branches) && branches.has(name)) return 'versionControl'
  const data = integration.get('data')
  const fields = isMap(data) ? data.items.map((each) => String(each.key)) : []
  const kinds = (Object.keys(DATA_FIELDS) as Kind[]).filter((kind) =>
    fields.some((field) => Object.hasOwn(DATA_FIELDS[kind], field))
  )
  return kinds.length === 1 ? kinds[0] : null
}

/**
 * Returns the data of an integration by the fields of its kind; missing required ones get defaults.
 */
function dataOf(kind: Kind, integration: YAMLMap, expected: Substitution['expected']) {
  const given = integration.toJSON().data
  const known = Object.entries((given ?? {}) as Record<string, unknown>).filter(
    ([field, value]) => Object.hasOwn(DATA_FIELDS[kind], field) && value !== null
  )
  const data: Record<string, unknown> = { ...DEFAULT_DATA[kind], ...Object.fromEntries(known) }
  if (kind === 'ci') {
    expected.workflows.push(...[data.workflowId, data.devWorkflowId].filter(Boolean).map(String))
  }
  if (kind === 'chat') expected.channels.push(...listOf(data.primaryChannelIds))
  if (kind === 'appStore') expected.apps.push(String(data.bundleId))
  if (kind === 'issueTracking') expected.projects.push(...listOf(data.projects))
  if (kind === 'versionControl') expected.repositories.push(String(data.repoName))
  return data
}

const DEFAULT_DATA: Readonly<Partial<Record<Kind, object>>> = {
  versionControl: { repoName: 'app' },
  appStore: { bundleId: 'com.example.app' },
  betaTesting: { bundleId: 'com.example.app' },
  ci: { workflowId: 'release' },
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Returns the texts under a name in the entries of a map. */
const textsAt = (map: Record<string, Record<string, unknown> | null> | undefined, name: string) =>
  Object.values(map ?? {}).flatMap((each) => {
    const text = each?.[name]
    return typeof text === 'string' ? [text] : []
  })
