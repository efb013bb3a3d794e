import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { requireLevel } from '../../bucket_levels.js'
import { findBucket } from '../../queries/find_bucket.js'
import { findLink, type LinkRow } from '../queries/link_entities.js'
import { installLinks } from '../tables.js'
import type { UpdateLinkInput } from '../validators.js'
import { requireFuture } from './create_link.js'

/** A link of a bucket of an app. */
export interface LinkPlace {
  appId: string
  bucketId: string
  installLinkId: string
}

/** Changes the end of a link, or revokes it. */
export class ChangeLink {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, bucket_level_missing, invalid_input */
  async update(place: LinkPlace, { expiresAt }: UpdateLinkInput): Promise<LinkRow> {
    const { scope } = this
    const link = await this.#find(place)
    if (expiresAt === undefined || expiresAt === link.expiresAt) return link
    requireFuture(expiresAt, scope.now)
    await scope.update(installLinks, { id: link.id }, { expiresAt })
    await this.#record('installLink.updated', place, { expiresAt })
    return { ...link, expiresAt }
  }

  /** Deletes a link; its tickets become invalid, too. @throws not_found, bucket_level_missing */
  async revoke(place: LinkPlace): Promise<void> {
    const { id, userId } = await this.#find(place)
    await this.scope.table('install_links').where('id', id).delete()
    await this.#record('installLink.revoked', place, { userId })
  }

  async #find({ appId, bucketId, installLinkId }: LinkPlace): Promise<LinkRow> {
    const bucket = await findBucket(this.scope, appId, bucketId)
    requireLevel(this.scope, bucket, 'uploader')
    return findLink(this.scope, bucket, installLinkId)
  }

  #record(action: string, { installLinkId, ...place }: LinkPlace, data: object) {
    return recordAudit(this.scope, { action, subject: installLinkId, data: { ...place, ...data } })
  }
}
