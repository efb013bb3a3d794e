import type { SentFile } from '#foundation/api/routes/sent_file'
import { storeKindOfApp } from '#apps/queries/app_summary'
import { referenceFile } from '#foundation/core/files/held_files'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { readReferencedRelease } from '#releases/queries/find_release'
import { reviewAttachments } from '../tables.js'

/** Files for whoever reviews the app, and the release they are for. */
export interface AttachmentsInput {
  files: readonly SentFile[]
  releaseId?: string
}

interface Attachment {
  id: string
  fileName: string
  /** In bytes. */
  size: number
}

/** Keeps files for the review of an app in the App Store. */
export class AddReviewAttachments {
  constructor(private readonly scope: Scope) {}

  /** @throws review_files_unsupported; not_found for the release */
  async handle(appId: string, { files, releaseId }: AttachmentsInput): Promise<Attachment[]> {
    const { scope } = this
    if ((await storeKindOfApp(scope, appId)) !== 'apple') {
      throw refuse('review_files_unsupported', {
        detail: 'Only the App Store accepts files for its review.',
      })
    }
    const found =
      releaseId === undefined ? null : await readReferencedRelease(scope, appId, releaseId)
    const added: Attachment[] = []
    for (const { file, contentType, fileName } of files) {
      const id = newId('attachment')
      const { size, sha256 } = file
      await scope.insert(reviewAttachments, [
        {
          id,
          appId,
          releaseId: found?.release.id ?? null,
          fileName,
          contentType,
          size,
          sha256,
          fileId: await referenceFile(scope, file),
          createdBy: scope.actor,
          createdAt: scope.now,
        },
      ])
      await recordAudit(scope, {
        action: 'appStoreReview.fileAttached',
        subject: id,
        data: { appId, releaseId: releaseId ?? null, fileName, size, sha256 },
      })
      added.push({ id, fileName, size })
    }
    return added
  }
}
