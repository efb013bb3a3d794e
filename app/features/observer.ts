import type { IntegrationObserver } from '#integrations/callbacks/observers'
import { lookNow } from './work/watch.js'

/** A push or a changed ticket has what is observed looked at soon. */
export const observer: IntegrationObserver = {
  async hinted(scope, { appId, kind }) {
    if (kind === 'versionControl' || kind === 'issueTracking') await lookNow(scope, appId, kind)
  },
}
