import type { AppExtension } from '#apps/extensions'
import { watchIssues } from './issues/find_issues.js'

/** The part of rollouts in an app: changed integrations may be other sources of crash issues. */
export const appExtension: AppExtension = {
  async adopt(scope, app, { changes }) {
    if (!changes.some(({ path }) => /^integrations\b/.test(path))) return
    await watchIssues(scope, app.id)
  },
}
