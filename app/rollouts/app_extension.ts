import type { AppExtension } from '#apps/extensions'
import { watchIssues } from './issues/look_for_issues.js'

/** Extends apps by rollouts: other integrations are other sources of metrics. */
export const appExtension: AppExtension = {
  async adopt(scope, app, { changes }) {
    if (!changes.some(({ path }) => /^integrations\b/.test(path))) return
    await watchIssues(scope, app.id)
  },
}
