import config from '@adonisjs/core/services/config'
import { addressOf } from '#foundation/core/address_of'

/** Addresses of the pages that messages in chats, calendars and links lead to. */
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
  /** True for the retrospective of the release instead of its own page. */
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

/** Returns the URL of a page, at the public address or else at the one the service listens at. */
export const reachableUrl = (shown: Shown): string =>
  config.get<string>('app.serviceUrl') + pathOf(shown)

function pathOf({ appId, releaseId, stepId, isRetrospective }: Shown): string {
  if (!releaseId) return addressOf(pageAddresses.app, { appId })
  if (isRetrospective) return addressOf(pageAddresses.retrospective, { appId, releaseId })
  if (!stepId) return addressOf(pageAddresses.release, { appId, releaseId })
  return addressOf(pageAddresses.step, { appId, releaseId, stepId })
}
