import { whyNoUpdatePriority } from '#apps/update_priority'
import type { AppPlatform } from '#apps/vocabulary'
import { refuseFields } from '#foundation/core/problems/problem'

/** @throws invalid_input for an update priority if the platform has none */
export function requirePriority(platform: AppPlatform, priority: number | null | undefined): void {
  const why = typeof priority === 'number' ? whyNoUpdatePriority(platform) : null
  if (why === null) return
  throw refuseFields([{ pointer: '/inAppUpdatePriority', code: 'not_allowed', message: `${why}.` }])
}
