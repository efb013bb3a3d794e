import { pageAddresses as integrationAddresses } from '#integrations/page_addresses'
import { pageAddresses } from '#releases/page_addresses'

export { addressOf } from '#foundation/core/address_of'

/** Addresses of pages: `/dashboard`, followed by the API's own path of what is shown. */
export const addresses = {
  home: '/dashboard/org/{orgId}',
  turn: '/dashboard/org/{orgId}/turn',
  app: pageAddresses.app,
  newRelease: '/dashboard/app/{appId}/release/new',
  release: pageAddresses.release,
  step: pageAddresses.step,
  timeline: '/dashboard/app/{appId}/release/{releaseId}/timelineEvents',
  redButton: '/dashboard/app/{appId}/release/{releaseId}/redButton',
  automations: '/dashboard/app/{appId}/release/{releaseId}/automations/pause',
  rollout: '/dashboard/app/{appId}/release/{releaseId}/rollout',
  storeRollout: '/dashboard/app/{appId}/release/{releaseId}/stepRun/{stepRunId}/rollout',
  selectedBuild: '/dashboard/app/{appId}/release/{releaseId}/step/{stepId}/selectedBuild',
  regressionStatus: '/dashboard/app/{appId}/release/{releaseId}/step/{stepId}/regressionStatus',
  featureReadiness: '/dashboard/app/{appId}/release/{releaseId}/step/{stepId}/featureReadiness',
  itemStatus:
    '/dashboard/app/{appId}/release/{releaseId}/step/{stepId}/checklistItem/{checklistItemId}/status',
  pair: '/dashboard/app/{appId}/release/{releaseId}/pair',
  partPair: '/dashboard/app/{appId}/release/{releaseId}/pair/part',
  act: '/dashboard/app/{appId}/release/{releaseId}/step/{stepId}/act/{act}',
  links: '/dashboard/app/{appId}/release/{releaseId}/link',
  revokeLink: '/dashboard/app/{appId}/release/{releaseId}/link/{releaseLinkId}/revoke',
  shared: pageAddresses.shared,
  keys: '/dashboard/org/{orgId}/apiKey',
  newKey: '/dashboard/org/{orgId}/apiKey/new',
  rotateKey: '/dashboard/org/{orgId}/apiKey/{apiKeyId}/rotate',
  revokeKey: '/dashboard/org/{orgId}/apiKey/{apiKeyId}/revoke',
  connections: '/dashboard/org/{orgId}/integration',
  catalogue: '/dashboard/org/{orgId}/integration/connect',
  simulators: '/dashboard/org/{orgId}/integration/simulators',
  connect: '/dashboard/org/{orgId}/integration/connect/{pluginId}',
  authorize: '/dashboard/org/{orgId}/integration/connect/{pluginId}/authorize',
  authorized: integrationAddresses.authorized,
  connection: '/dashboard/org/{orgId}/integration/{connectionId}',
  checkConnection: '/dashboard/org/{orgId}/integration/{connectionId}/check',
  rotateConnection: '/dashboard/org/{orgId}/integration/{connectionId}/rotate',
  reauthorize: '/dashboard/org/{orgId}/integration/{connectionId}/rotate/authorize',
  disconnect: '/dashboard/org/{orgId}/integration/{connectionId}/disconnect',
  callbackSecret: '/dashboard/org/{orgId}/integration/{connectionId}/callbackSecret',
  people: '/dashboard/org/{orgId}/user',
  newPerson: '/dashboard/org/{orgId}/user/new',
  person: '/dashboard/org/{orgId}/user/{userId}',
  signInLink: '/dashboard/org/{orgId}/user/{userId}/signInLink',
  signPersonOut: '/dashboard/org/{orgId}/user/{userId}/signIn/end',
  deactivatePerson: '/dashboard/org/{orgId}/user/{userId}/deactivate',
  activatePerson: '/dashboard/org/{orgId}/user/{userId}/activate',
  groups: '/dashboard/org/{orgId}/group',
  newGroup: '/dashboard/org/{orgId}/group/new',
  group: '/dashboard/org/{orgId}/group/{groupId}',
  deleteGroup: '/dashboard/org/{orgId}/group/{groupId}/delete',
} as const

/** Addresses that older clients print, and the page that each leads to. */
export const oldAddresses = {
  '/dashboard/org/{orgId}/app/{appId}/builds': addresses.app,
} as const
