import { storeKindOf, type AppPlatform } from '#apps/vocabulary'
import type { ArchiveMetadata } from '#app-archives/metadata'
import type { MetadataWarningCode } from '../vocabulary.js'

interface MetadataWarning {
  code: MetadataWarningCode
  message: string
}

/** Returns warnings about an artifact in the bucket of an app; it is not refused. */
export function metadataWarnings(
  { platform, bundleId }: ArchiveMetadata,
  app: { platform: AppPlatform; bundleIds: readonly string[] }
): MetadataWarning[] {
  const warnings: MetadataWarning[] = []
  // Over-the-air bundles go into apps of any platform.
  if (storeKindOf(app.platform) !== 'ota' && app.platform !== platform) {
    const message = `The file is for ${platform}, the app for ${app.platform}.`
    warnings.push({ code: 'platform_differs', message })
  }
  // An app may go to several stores, by another name in each.
  if (app.bundleIds.length > 0 && !app.bundleIds.includes(bundleId)) {
    const message = `The file is ${bundleId}, the app is ${app.bundleIds.join(' or ')}.`
    warnings.push({ code: 'bundle_id_differs', message })
  }
  return warnings
}
