import config from '@adonisjs/core/services/config'
import { addressOf } from '#foundation/core/address_of'

/** Addresses of the pages that chats and calendars lead to. */
export const pageAddresses = {
  app: '/dashboard/app/{appId}',
  release: '/dashboard/app/{appId}/release/{releaseId}',
  step: '/dashboard/app/{appId}/release/{releaseId}/step/{stepId}',
} as const

/** What a page shows: an app, a release, or a step of one. Ids are those of the API. */
export interface Shown {
  appId: string
  releaseId?: string | null
  stepId?: string | null
}

/**
 * Returns the URL of the page of an app, a release or a step; null while the service has no public
 * address, since only its own machine would reach it.
 */
export function pageUrl({ appId, releaseId, stepId }: Shown): string | null {
  const base = config.get<string>('app.publicUrl')
  if (!base) return null
  if (!releaseId) return base + addressOf(pageAddresses.app, { appId })
  if (!stepId) return base + addressOf(pageAddresses.release, { appId, releaseId })
  return base + addressOf(pageAddresses.step, { appId, releaseId, stepId })
}
