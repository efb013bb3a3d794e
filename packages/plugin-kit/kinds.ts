/** The twelve kinds of integration of the specification. */
export const KINDS = [
  'versionControl',
  'appStore',
  'betaTesting',
  'ci',
  'testManagement',
  'issueTracking',
  'chat',
  'crashMonitoring',
  'productAnalytics',
  'experimentation',
  'onCall',
  'localization',
] as const
export type Kind = (typeof KINDS)[number]

/**
 * Kinds whose data others send to the service, so that a plugin declares them without code. Each
 * maps to the specification's kind that it belongs to.
 */
export const INBOUND_KINDS = { customCi: 'ci', customObservability: 'productAnalytics' } as const
export type InboundKind = keyof typeof INBOUND_KINDS

/** The kinds that a plugin can declare. */
export type CapabilityKind = Kind | InboundKind

export const CAPABILITY_KINDS: readonly CapabilityKind[] = [
  ...KINDS,
  ...(Object.keys(INBOUND_KINDS) as InboundKind[]),
]

export function isInbound(kind: CapabilityKind): kind is InboundKind {
  return Object.hasOwn(INBOUND_KINDS, kind)
}

/** Returns the specification's kind of a capability. */
export function specificationKind(kind: CapabilityKind): Kind {
  return isInbound(kind) ? INBOUND_KINDS[kind] : kind
}

/** The type of a field of an integration's `data`. */
export type DataField = 'text' | 'texts' | 'events'
export type DataFields = Readonly<Record<string, DataField>>

/** The `data` fields that the specification names for each kind, in its order. */
export const DATA_FIELDS: Record<Kind, DataFields> = {
  versionControl: { repoName: 'text' },
  appStore: { bundleId: 'text' },
  betaTesting: { bundleId: 'text' },
  ci: { workflowId: 'text', devWorkflowId: 'text' },
  testManagement: { testRunNameKeywords: 'text', project: 'text' },
  issueTracking: { projects: 'texts', additionalDoneStatuses: 'texts' },
  chat: { primaryChannelIds: 'texts' },
  crashMonitoring: {
    orgId: 'text',
    projectId: 'text',
    prodEnvironmentIdentifier: 'text',
    betaEnvironmentIdentifier: 'text',
  },
  productAnalytics: { selectedEventsAndParams: 'events' },
  experimentation: { projectId: 'text', environmentId: 'text', versionAttributeName: 'text' },
  onCall: { scheduleId: 'text' },
  localization: { projectId: 'text', metadataProjectId: 'text' },
}
