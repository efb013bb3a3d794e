import { storeKindOf, type AppPlatform } from './vocabulary.js'

/**
 * Returns why an app has no priority of updates: Google Play alone tells apps how urgent one is.
 * Null where it may have one.
 */
export const whyNoUpdatePriority = (platform: AppPlatform): string | null =>
  storeKindOf(platform) === 'google'
    ? null
    : `inAppUpdatePriority is of Google Play, and the app is for ${platform}`
