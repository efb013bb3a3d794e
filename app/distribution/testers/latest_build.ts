import type { Scope } from '#foundation/core/scope'
import type { BuildDistroBuildEntity } from '../entities.js'
import type { Device } from '../install_pages/device.js'
import { hasEnded, offerOf, type Offer, type OfferedBuild } from '../install_pages/offer.js'
import type Bucket from '../models/bucket.js'
import { buildEntity, listBuilds } from '../queries/build_entities.js'

/** The number of newest builds that are searched for a suitable one. */
const SEARCHED = 200

/** Offers of builds that the device can install, if need be in another browser or over https. */
const DEVICE_OFFERS: ReadonlySet<Offer> = new Set([
  'install',
  'download',
  'openBrowser',
  'insecure',
])

/** The properties of a request for the newest build. */
interface Asking {
  /** Null for a build of any app. */
  bundleId: string | null
  /** Null if the device is unknown. */
  device: Device | null
  /** The address at which the requester reaches the service. */
  baseUrl: string
}

/**
 * Returns the newest build of a bucket that has not ended: preferably one that the device can
 * install, else one that some phone can install, else any, such as a bundle for a store. Searches
 * the newest 200 builds; null if there is none.
 */
export async function latestBuild(
  scope: Scope,
  bucket: Bucket,
  { bundleId, device, baseUrl }: Asking
): Promise<BuildDistroBuildEntity | null> {
  const preferences = preferencesOf(scope, device)
  // Usually the newest build fits, so more are read only if it does not.
  for (const limit of bundleId === null ? [1, SEARCHED] : [SEARCHED]) {
    const builds = await listBuilds(scope, bucket, { status: 'active' }, { limit, after: null })
    const isAll = limit === SEARCHED || builds.length < limit
    const lasting = builds.filter(
      (build) =>
        !hasEnded(build, scope.now) && (bundleId === null || build.metadata?.bundleId === bundleId)
    )
    for (const [rank, isSuitable] of preferences.entries()) {
      // A less suitable build is returned only once all builds were searched for a better one.
      const latest = rank === 0 || isAll ? lasting.find(isSuitable) : undefined
      if (latest) return buildEntity(scope, latest, baseUrl)
    }
    if (isAll) return null
  }
  return null
}

/** Returns the conditions for a suitable build, the strictest first. */
function preferencesOf(
  { now }: Scope,
  device: Device | null
): ((build: OfferedBuild) => boolean)[] {
  const offer = (build: OfferedBuild) => offerOf(build, device ?? NO_PHONE, { isSecure: true, now })
  const onPhone = (build: OfferedBuild) => {
    const made = offer(build)
    return made === 'elsewhere' || DEVICE_OFFERS.has(made)
  }
  const any = [onPhone, () => true]
  const isPhone = device !== null && device.system !== 'other'
  return isPhone ? [(build) => DEVICE_OFFERS.has(offer(build)), ...any] : any
}

const NO_PHONE: Device = { system: 'other', inApp: null, isMacLike: false }
