import type { Scope } from '#foundation/core/scope'
import type { BuildDistroBuildEntity } from '../entities.js'
import type { Device } from '../install_pages/device.js'
import { hasEnded, offerOf, type Offer, type OfferedBuild } from '../install_pages/offer.js'
import type Bucket from '../models/bucket.js'
import { buildEntity, listBuilds } from '../queries/build_entities.js'

/** Number of newest builds that are searched for a suitable one. */
const LOOKED_AT = 200

/** Offers of what the device that asks can install, maybe by another browser or address. */
const OF_DEVICE: ReadonlySet<Offer> = new Set(['install', 'download', 'openBrowser', 'insecure'])

/** The device that asks for the newest build. */
interface Asking {
  /** Null if it may be of any. */
  bundleId: string | null
  /** Null if nobody knows what it is for. */
  device: Device | null
  /** The address the requester reaches the service at. */
  baseUrl: string
}

/**
 * The newest build of a bucket whose time is not over, nor that of its profile: one that can be
 * installed on the device that asks, else on any phone, else any at all, such as a bundle for a
 * store. It is looked for among the last 200; null if there is none.
 */
export async function latestBuild(
  scope: Scope,
  bucket: Bucket,
  { bundleId, device, baseUrl }: Asking
): Promise<BuildDistroBuildEntity | null> {
  const fits = fitting(scope, device)
  // Nearly always it is the newest: more are read only where it is not.
  for (const limit of bundleId === null ? [1, LOOKED_AT] : [LOOKED_AT]) {
    const builds = await listBuilds(scope, bucket, { status: 'active' }, { limit, after: null })
    const isAll = limit === LOOKED_AT || builds.length < limit
    const lasting = builds.filter(
      (build) =>
        !hasEnded(build, scope.now) && (bundleId === null || build.metadata?.bundleId === bundleId)
    )
    for (const [place, isFit] of fits.entries()) {
      // A less suitable build is taken once no better one can follow.
      const latest = place === 0 || isAll ? lasting.find(isFit) : undefined
      if (latest) return buildEntity(scope, latest, baseUrl)
    }
    if (isAll) return null
  }
  return null
}

/** Returns the requirements for a build, best first. */
function fitting({ now }: Scope, device: Device | null): ((build: OfferedBuild) => boolean)[] {
  const offer = (build: OfferedBuild) => offerOf(build, device ?? NO_PHONE, { isSecure: true, now })
  const onPhone = (build: OfferedBuild) => {
    const made = offer(build)
    return made === 'elsewhere' || OF_DEVICE.has(made)
  }
  const any = [onPhone, () => true]
  const isPhone = device !== null && device.system !== 'other'
  return isPhone ? [(build) => OF_DEVICE.has(offer(build)), ...any] : any
}

const NO_PHONE: Device = { system: 'other', inApp: null, isMacLike: false }
