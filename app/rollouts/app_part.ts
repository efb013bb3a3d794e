import type { AppPart } from '#apps/parts'
import { watchIssues } from './issues/look_for_issues.js'

/** What rollouts take part in of an app: with other providers, others tell of what goes wrong. */
export const appPart: AppPart = {
  async adopt(scope, app, { changes }) {
    if (!changes.some(({ path }) => /^integrations\b/.test(path))) return
    await watchIssues(scope, app.id)
  },
}
