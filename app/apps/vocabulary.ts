import { enumeration } from '#foundation/core/enumerations'
import type { PluginPlatform } from '#plugin-kit/manifest'

/** The platforms apps run on (`AppPlatform`). */
export const APP_PLATFORMS = enumeration(
  'AppPlatform',
  [
    'ios',
    'android',
    'tvos',
    'macos',
    'visionos',
    'wearos',
    'androidtv',
    'react-native-ota',
    'flutter-ota',
  ],
  'Platform of an app; it determines the store and the events that apply.'
)
export type AppPlatform = (typeof APP_PLATFORMS)[number]

/**
 * The kinds of store, which decide the events and rules: "iOS" is apple, "Android" google, "OTA"
 * ota.
 */
export const STORE_KINDS = ['apple', 'google', 'ota'] as const
export type StoreKind = (typeof STORE_KINDS)[number]

const STORE_KIND_OF: Record<AppPlatform, StoreKind> = {
  'ios': 'apple',
  'tvos': 'apple',
  'macos': 'apple',
  'visionos': 'apple',
  'android': 'google',
  'wearos': 'google',
  'androidtv': 'google',
  'react-native-ota': 'ota',
  'flutter-ota': 'ota',
}

/** Returns the kind of store a platform ships through. */
export function storeKindOf(platform: AppPlatform): StoreKind {
  return STORE_KIND_OF[platform]
}

/** The kinds of store by the platforms that plugins name. */
const STORE_KIND_OF_PLUGIN: Record<PluginPlatform, StoreKind> = {
  ios: 'apple',
  android: 'google',
  ota: 'ota',
}

/** Returns whether a plugin's list of platforms suits an app. An empty list means every platform. */
export const suitsPlatform = (
  platforms: readonly PluginPlatform[] | null | undefined,
  platform: AppPlatform
): boolean =>
  !platforms?.length ||
  platforms.some((each) => STORE_KIND_OF_PLUGIN[each] === storeKindOf(platform))

/** Platforms as people write them. */
export const PLATFORM_NAMES: Record<AppPlatform, string> = {
  'ios': 'iOS',
  'android': 'Android',
  'tvos': 'tvOS',
  'macos': 'macOS',
  'visionos': 'visionOS',
  'wearos': 'Wear OS',
  'androidtv': 'Android TV',
  'react-native-ota': 'React Native',
  'flutter-ota': 'Flutter',
}

/**
 * Returns the title of an app. A product mostly has the same name on each platform, so the title
 * adds the platform unless the name contains it.
 */
export function titleOfApp({ name, platform }: { name: string; platform: AppPlatform }): string {
  const platformName = PLATFORM_NAMES[platform]
  const words = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
  const isNamed = ` ${words} `.includes(` ${platformName.toLowerCase()} `)
  return isNamed ? name : `${name} for ${platformName}`
}

/** Stores as people call them; also the default name of an app's first destination. */
export const STORE_NAMES: Readonly<Record<StoreKind, string>> = {
  apple: 'App Store',
  google: 'Google Play',
  ota: 'Over the air',
}
