import { storeKindOf, type AppPlatform } from '#apps/vocabulary'
import { refuseFields } from '#foundation/core/problems/problem'

/** Google Play alone tells apps how urgent an update is. @throws invalid for other platforms */
export function demandPriority(platform: AppPlatform, priority: number | null | undefined): void {
  if (typeof priority !== 'number' || storeKindOf(platform) === 'google') return
  const message = `inAppUpdatePriority is of Google Play, and the app is for ${platform}.`
  throw refuseFields([{ pointer: '/inAppUpdatePriority', code: 'not_allowed', message }])
}
