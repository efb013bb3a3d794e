import type { AppPart } from '#apps/parts'
import { watchIssues } from './issues/look_for_issues.js'

/** The part of rollouts in an app: other integrations are other sources of metrics. */
export const appPart: AppPart = {
  async adopt(scope, app, { changes }) {
    if (!changes.some(({ path }) => /^integrations\b/.test(path))) return
    await watchIssues(scope, app.id)
  },
}
