import { storeKindOf, type AppPlatform } from '#apps/vocabulary'
import type { ArchiveMetadata } from '#app-archives/metadata'
import type { MetadataWarningCode } from '../vocabulary.js'

interface MetadataWarning {
  code: MetadataWarningCode
  message: string
}

/** Returns warnings about an artifact that does not fit its app; it is accepted all the same. */
export function metadataWarnings(
  { platform, bundleId }: ArchiveMetadata,
  app: { platform: AppPlatform; bundleIds: readonly string[] }
): MetadataWarning[] {
  const warnings: MetadataWarning[] = []
  // Over-the-air bundles are for apps of any platform.
  if (storeKindOf(app.platform) !== 'ota' && app.platform !== platform) {
    const message = `The file is for ${platform}, the app for ${app.platform}.`
    warnings.push({ code: 'platform_differs', message })
  }
  // An app may have a different bundle id in each of its stores.
  if (app.bundleIds.length > 0 && !app.bundleIds.includes(bundleId)) {
    const message = `The file is ${bundleId}, the app is ${app.bundleIds.join(' or ')}.`
    warnings.push({ code: 'bundle_id_differs', message })
  }
  return warnings
}
