import config from '@adonisjs/core/services/config'
import { addressOf } from '#foundation/core/address_of'

/** Addresses of the pages that chats, calendars and links of releases lead to. */
export const pageAddresses = {
  app: '/dashboard/app/{appId}',
  release: '/dashboard/app/{appId}/release/{releaseId}',
  retrospective: '/dashboard/app/{appId}/release/{releaseId}/retrospective',
  step: '/dashboard/app/{appId}/release/{releaseId}/step/{stepId}',
  shared: '/shared/{sharedToken}',
} as const

/** The subject of a page: an app, a release, or a step of one. Ids are those of the API. */
export interface Shown {
  appId: string
  releaseId?: string | null
  stepId?: string | null
  /** The page of what the release waited for, in place of its own. */
  isRetrospective?: boolean
}

/**
 * Returns the URL of the page of an app, a release or a step; null while the service has no public
 * address, since only its own machine would reach it.
 */
export function pageUrl(shown: Shown): string | null {
  const base = config.get<string>('app.publicUrl')
  return base ? base + pathOf(shown) : null
}

/** The same, by the address that the service listens at where it has no public one. */
export const reachableUrl = (shown: Shown): string =>
  config.get<string>('app.serviceUrl') + pathOf(shown)

function pathOf({ appId, releaseId, stepId, isRetrospective }: Shown): string {
  if (!releaseId) return addressOf(pageAddresses.app, { appId })
  if (isRetrospective) return addressOf(pageAddresses.retrospective, { appId, releaseId })
  if (!stepId) return addressOf(pageAddresses.release, { appId, releaseId })
  return addressOf(pageAddresses.step, { appId, releaseId, stepId })
}
