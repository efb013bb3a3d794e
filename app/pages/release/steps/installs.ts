import type { BuildDistroBucketEntity, BuildDistroBuildEntity } from '#distribution/entities'
import type { InstallLinkEntity } from '#distribution/install_pages/entities'
import type { PageCall } from '../../frame/page.js'
import type { CiBuild } from '../answers.js'
import { unlessForbidden } from '../../frame/unless_forbidden.js'
import { readPages } from './read_pages.js'

/** The maximum number of buckets to search for a build, those of release candidates first. */
const MAX_BUCKETS = 3

/** A way to install a build. */
export interface Install {
  bucket: string
  /** Address of the install page. */
  url: string
}

type Build = Pick<CiBuild, 'id' | 'commitHash' | 'buildIdentifier'>

/**
 * Returns how the reader can install a build: by public links, or by personal links of the reader.
 * Leaves out links of other testers, because a download is recorded under the tester of its link.
 */
export async function installsOf(
  { ask, params: { appId }, reader }: PageCall,
  build: Build | null
): Promise<Install[]> {
  if (!build || !reader.may('listInstallLinks')) return []
  const { body: buckets } = await ask<BuildDistroBucketEntity[]>('listBuckets', {
    params: { appId },
  })
  const searched = buckets
    .filter(({ status, buildCount }) => status === 'active' && buildCount > 0)
    .sort((one, other) => Number(other.type === 'rc') - Number(one.type === 'rc'))
    .slice(0, MAX_BUCKETS)
  const found = await Promise.all(searched.map((bucket) => installsFrom(bucket)))
  return found.flat()

  async function installsFrom({ id: bucketId, name, latestBuild }: BuildDistroBucketEntity) {
    const bucketParams = { params: { appId, bucketId } }
    const builds = await readPages<BuildDistroBuildEntity>(ask, 'listBucketBuilds', bucketParams)
    const matching = builds.items.filter(
      ({ ciBuild, status }) => status === 'active' && ciBuild && isSame(ciBuild, build!)
    )
    if (matching.length === 0) return []
    const ids = matching.map(({ id }) => id)
    const isLatest = latestBuild !== null && ids.includes(latestBuild.id)
    // Readers who may not list the links of the bucket get none.
    const links = await unlessForbidden(
      readPages<InstallLinkEntity>(ask, 'listInstallLinks', bucketParams)
    )
    const link = links?.items
      .filter(({ tester, expiresAt }) => {
        const isOpen = expiresAt === null || expiresAt > reader.now
        return isOpen && (tester === null || tester.id === reader.principal.actor.id)
      })
      .find(({ buildDistroBuildId: of }) => (of === null ? isLatest : ids.includes(of)))
    return link ? [{ bucket: name, url: link.url }] : []
  }
}

/** Compares builds by commit and CI identifier, too: a build uploaded by hand has another id. */
const isSame = (one: Build, other: Build) =>
  one.id === other.id ||
  (one.commitHash === other.commitHash && one.buildIdentifier === other.buildIdentifier)
