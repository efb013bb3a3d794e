import type { AppPart } from '#apps/parts'
import { letGoOfFiles } from '#foundation/core/files/held_files'
import { forgetStores } from './watch_stores.js'

/** What stores take part in of an app. */
export const appPart: AppPart = {
  async remove(scope, { id: appId }) {
    await forgetStores(scope, appId)
    const attached = scope.table('app_store_review_attachments').where('app_id', appId)
    const rows: { file_id: string | null }[] = await attached.clone().select('file_id')
    await attached.clone().delete()
    await letGoOfFiles(
      scope,
      rows.flatMap(({ file_id: fileId }) => fileId ?? [])
    )
    for (const name of ['app_store_reviews', 'app_store_builds'] as const) {
      await scope.table(name).where('app_id', appId).delete()
    }
  },
}
