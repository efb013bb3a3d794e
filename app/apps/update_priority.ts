import { storeKindOf, type AppPlatform } from './vocabulary.js'

/**
 * Returns why an app has no update priority: only Google Play reports an urgency to apps. Null if
 * it may have one.
 */
export const whyNoUpdatePriority = (platform: AppPlatform): string | null =>
  storeKindOf(platform) === 'google'
    ? null
    : `inAppUpdatePriority is of Google Play, and the app is for ${platform}`
