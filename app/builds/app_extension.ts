import type { AppExtension } from '#apps/extensions'
import { yieldToOthers } from '#foundation/core/yielding'
import { forgetApp } from './work/watch_app.js'
import { dereferenceCiFiles } from './store_files.js'

/** Number of builds removed at a time. */
const BATCH = 500

/** Removes the builds of an app with the app. */
export const appExtension: AppExtension = {
  async remove(scope, { id: appId }) {
    await forgetApp(scope, appId)
    for (;;) {
      const builds = scope.table('ci_builds').where('app_id', appId).limit(BATCH)
      const ids: string[] = (await builds.select('id')).map((row: { id: string }) => row.id)
      if (ids.length === 0) return
      await dereferenceCiFiles(scope, ids)
      await scope.table('ci_build_files').whereIn('build_id', ids).delete()
      await scope.table('ci_builds').whereIn('id', ids).delete()
      await yieldToOthers()
    }
  },
}
